import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Guest } from '../../../simulator/world';
import type { CliLab } from '../../support/processes/cli';
import { cliLab, run, start } from '../../support/processes/cli';

const PROGRAM = path.join(process.cwd(), 'dist', 'reconciler.cjs');
const THEIRS = 100;
const MARK = /\n?<!-- pvr:.*-->$/;

let lab: CliLab;
let folder: string;
beforeEach(async () => {
  lab = await cliLab();
  folder = mkdtempSync(path.join(tmpdir(), 'adopt-'));
});
afterEach(async () => {
  await lab.close();
  rmSync(folder, { recursive: true });
});

const adopt = (...args: string[]) =>
  run(['adopt', '--owner', 'team/lab', '--cluster', 'lab', ...args], lab.access);

/** Runs the program with a stdout that takes nothing, as a file on a full disk. */
function onFullDisk(...args: string[]): Promise<{ code: number | null; stderr: string }> {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...lab.access },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise(resolve => child.on('close', code => resolve({ code, stderr })));
}
const guest = (vmid = THEIRS): Guest => lab.world.guests[vmid]!;

/** Machines beside the one of the lab, made by hand. */
function more(count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    const vmid = 200 + index;
    const copy = structuredClone(guest());
    const smbios1 = `uuid=00000000-0000-4000-8000-${String(vmid).padStart(12, '0')}`;
    delete copy.config['scsi0'];
    lab.world.guests[vmid] = { ...copy, vmid, config: { ...copy.config, name: `web-${index}`, smbios1 } };
    return vmid;
  });
}

test('without a word it only prints, and says what it would write', async () => {
  const { code, stdout, stderr } = await adopt('100', '--form', 'json');
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'Nothing was written to Proxmox. With --yes this writes the tag and the last line of the description of 1 guest, for owner team/lab: 100.',
    ) as string,
  });
  expect(JSON.parse(stdout)).toMatchObject({ owner: 'team/lab', machines: [{ vmid: THEIRS, adopt: true }] });
  expect(lab.writes()).toEqual([]);
});

test('with --out it names the words with which the same line marks the guest, and they do', async () => {
  const line = ['100', '--out', path.join(folder, 'main.tf'), '--form', 'hcl'];
  const { code, stderr } = await adopt(...line);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('With --yes --force this writes the tag') as string,
  });
  expect(lab.writes()).toEqual([]);
  expect((await adopt(...line, '--yes', '--force')).code).toBe(0);
  expect(guest().config['description']).toMatch(MARK);
});

test('no guest is marked where whoever was to read the program has left', async () => {
  const running = start(['adopt', '100', '--owner', 'team/lab', '--cluster', 'lab', '--yes'], lab.access);
  running.child.stdout?.destroy();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No guest was changed. Name a file with --out.') as string,
  });
  expect(lab.writes()).toEqual([]);
});

test('no guest is marked where the program cannot be written', async () => {
  const { code, stderr } = await onFullDisk('adopt', '100', '--owner', 'team/lab', '--yes');
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No guest was changed. Name a file with --out.') as string,
  });
  expect(lab.writes()).toEqual([]);
});

test('what cannot be written to stdout is said, with an exit code', async () => {
  for (const words of [['schema'], ['permissions'], ['--help']]) {
    const { code, stderr } = await onFullDisk(...words);
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toMatch(/what this run tells cannot be written \(ENOSPC\): it is cut short\. Make room/);
  }
});

test('a file that takes only the beginning of it is no success', () => {
  const file = path.join(folder, 'schema.json');
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -f 4; exec "$0" "$1" schema > "$2"', process.execPath, PROGRAM, file],
    { encoding: 'utf8' },
  );
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('it is cut short') });
});

test('with --yes the mark is written and nothing else, and the program is then in sync', async () => {
  more(3);
  const file = path.join(folder, 'machines.yaml');
  const before = structuredClone(lab.world.guests);
  const { code, stderr } = await adopt('--all', '--yes', '--form', 'yaml', '--out', file);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('web-0: VM 200 is adopted, and its next plan is empty.') as string,
  });
  expect(stderr).toContain('container 101');
  expect(lab.writes().sort()).toEqual(
    [100, 200, 201, 202].map(vmid => expect.stringMatching(`PUT .*/qemu/${vmid}/config$`) as string),
  );
  for (const [vmid, { config }] of Object.entries(before)) {
    const { description = '', tags: _, ...rest } = guest(Number(vmid)).config;
    const { description: had = '', tags: __, ...were } = config;
    expect([rest, description.replace(MARK, '')]).toEqual([were, had.replace(/\n$/, '')]);
  }
  const plan = await run(['plan', '--check', '--spec', file], lab.access);
  expect(plan).toMatchObject({ code: 0 });
  // as Terraform does, with an entry of its own
  const again = await adopt('100', '--yes');
  expect(again).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /VM 100: REFUSED: .* it is machine \S+ of owner team\/lab already/,
    ) as string,
  });
});

test('each guest that cannot be adopted is refused with its reason, and the others go on', async () => {
  const [locked, marked, copied, long] = more(4) as [number, number, number, number];
  expect((await adopt(String(marked), '--yes')).code).toBe(0);
  const mark = guest(marked).config['description']!;
  guest(locked).config['lock'] = 'backup';
  guest(copied).config['description'] = mark;
  guest(long).config['description'] = 'x'.repeat(8_000);
  lab.writes();
  const { code, stderr } = await run(
    [
      'adopt',
      '--owner',
      'else',
      '--yes',
      '100',
      '101',
      '9000',
      '4711',
      ...[locked, marked, copied, long].map(String),
    ],
    lab.access,
  );
  expect(code).toBe(3);
  expect(stderr).toMatch(/VM 101: REFUSED: container 101 .* is not adopted: it is a container/);
  expect(stderr).toMatch(/VM 9000: REFUSED: template 9000 .* it is a template/);
  expect(stderr).toMatch(/VM 4711: REFUSED: the cluster lists no guest 4711/);
  expect(stderr).toMatch(/VM 200: REFUSED: .* it is locked \(backup\)/);
  expect(stderr).toMatch(/VM 201: REFUSED: .* it is machine web-1 of owner team\/lab already/);
  expect(stderr).toMatch(/VM 202: REFUSED: .* it was cloned by hand from machine web-1 of owner team\/lab/);
  expect(stderr).toMatch(/VM 203: REFUSED: .* its description has no room for the mark/);
  expect(lab.writes()).toEqual([expect.stringContaining('/qemu/100/config')]);
});

test('without quorum nothing is written', async () => {
  lab.world.cluster!.quorate = false;
  const { code, stderr, stdout } = await adopt('100', '--yes');
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('no quorum') as string });
  expect(stdout).toBe('');
  expect(lab.writes()).toEqual([]);
});

test.each([
  [['100', '--all'], /not both/],
  [[], /Say which guests/],
  [['web'], /'web' is no number of a guest/],
  [['100', '--form', 'typescrip'], /Did you mean typescript\?/],
  [['100', '--yes'], /--yes marks the guests for their owner: name it with --owner/],
  [['100', '--owner', ' x'], /owner: " x" is not valid/],
])('%j is wrong input', async (args, says) => {
  expect(await run(['adopt', ...args], lab.access)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(says) as string,
  });
  expect(lab.writes()).toEqual([]);
});

test('a file that is there is overwritten by --force only', async () => {
  const file = path.join(folder, 'main.ts');
  expect((await adopt('100', '--out', file)).code).toBe(0);
  expect(existsSync(file)).toBe(true);
  expect(await adopt('100', '--out', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('exists') as string,
  });
  expect((await adopt('100', '--out', file, '--force')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toContain('new Machine(stack,');
});

test('killed half-way and run again, it completes', async () => {
  const vmids = [THEIRS, ...more(6)];
  const isMarked = (vmid: number): boolean => MARK.test(guest(vmid).config['description'] ?? '');
  const first = start(['adopt', '--owner', 'team/lab', '--all', '--yes', '--form', 'json'], lab.access);
  while (!vmids.some(isMarked)) await new Promise(resolve => setImmediate(resolve));
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await run(['adopt', '--owner', 'team/lab', '--all', '--yes'], lab.access)).toMatchObject({
    code: 0,
  });
  expect(vmids.filter(vmid => !isMarked(vmid))).toEqual([]);
});
