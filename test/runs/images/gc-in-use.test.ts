import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { foreignTask } from '../../support/cluster/foreign-task';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const ISO = `local:iso/${ownerTag('team/lab', 'gone')}-${'0'.repeat(20)}.iso`;
const IMAGE = `local:import/pvr-sha256-${'a'.repeat(64)}.qcow2`;
const old = { id: 'old', image: { blank: true }, power: 'stopped', vmid: 777, node: 'pve1' };

const open: Lab[] = [];
let before: (request: string) => Promise<unknown>;
beforeEach(() => void (before = () => Promise.resolve()));
afterEach(() => Promise.all(open.splice(0).map(each => each.close())));

async function cluster(...machines: Json[]): Promise<Lab> {
  const made = await lab({ before: async ({ method, path: at }) => void (await before(`${method} ${at}`)) });
  open.push(made);
  expect(errorsOf(await made.run(desired(machines)))).toEqual([]);
  return made;
}
function put({ world }: Lab, volid: string): void {
  const iso = world.volumes.find(({ content }) => content === 'iso')!;
  const content = volid === ISO ? 'iso' : 'import';
  world.volumes.push({ ...iso, ...{ volid, content, storage: 'local', node: 'pve1' } });
}
const has = ({ world }: Lab, volume: string) => world.volumes.some(({ volid }) => volid === volume);
const gc = (of: Lab, ...more: string[]) =>
  runLine(
    ['gc', '--spec', '-', '--yes', ...more],
    programAccess(of.simulator),
    JSON.stringify(desiredJson([])),
  );

test('a guest of another cluster with the number of one that was destroyed keeps its file', async () => {
  const [a, b] = [await cluster(old), await cluster()];
  expect(errorsOf(await b.run({ ...desired([{ ...old, id: 'theirs' }]), owner: 'others' }))).toEqual([]);
  put(b, ISO);
  b.world.guests[777]!.config['ide0'] = `${ISO},media=cdrom`;
  const folder = mkdtempSync(path.join(tmpdir(), 'gc-'));
  const specs = Object.entries({ a, b }).flatMap(([name]) => {
    writeFileSync(path.join(folder, name), JSON.stringify(desiredJson([], { name })));
    return ['--spec', path.join(folder, name)];
  });
  const named = (name: string, of: Lab) =>
    Object.fromEntries(
      Object.entries(programAccess(of.simulator))
        .filter(([key]) => key !== 'PVE_TASK_POLL_INTERVAL')
        .map(([key, text]) => [key.replace('PVE_', `PVE_${name}_`), text]),
    );
  const { out } = await runLine(['gc', ...specs, '--yes', '--count', '1'], {
    ...named('A', a),
    ...named('B', b),
  });
  rmSync(folder, { recursive: true });
  expect([a.world.guests[777], has(b, ISO)]).toEqual([undefined, true]);
  expect(out).not.toContain(ISO);
});

test('a guest that somebody makes with the number of one that was destroyed keeps its file', async () => {
  const one = await cluster(old);
  put(one, ISO);
  before = async request => {
    if (request !== 'GET /nodes/pve1/tasks' || one.world.guests[777] !== undefined) return;
    before = () => Promise.resolve();
    await administratorOf(one)('POST', '/nodes/pve1/qemu', { vmid: '777', ide0: `${ISO},media=cdrom` });
  };
  await gc(one, '--count', '1');
  expect(one.world.guests[777]!.config['ide0']).toContain(ISO);
  expect(has(one, ISO)).toBe(true);
});

test.each([IMAGE, ISO])('%s that an upload may be at work with is left alone', async volume => {
  const one = await cluster();
  put(one, volume);
  // Proxmox names no file in such a task, whatever it copies
  const upload = foreignTask(one.simulator, { type: 'imgcopy', id: '' });
  await gc(one);
  expect(has(one, volume)).toBe(true);
  upload.stop();
  expect((await gc(one)).out).toBe(`${volume} on pve1: nothing used it, removed.\n`);
});

test.each(['tasks', 'qemu'])(
  'where the %s of a node cannot be listed, the file stays, and why is told',
  async list => {
    const one = await cluster();
    put(one, IMAGE);
    one.simulator.faults.add({
      path: `/nodes/pve2/${list}`,
      effect: { kind: 'answer', status: 500, text: 'no' },
    });
    const what = list === 'tasks' ? 'tasks' : 'guests';
    expect((await gc(one)).out).toBe(
      `${IMAGE} on pve1: left alone: who uses it is not known: the ${what} of pve2 could not be listed. Running again is safe.\n`,
    );
    expect(has(one, IMAGE)).toBe(true);
  },
);

test('who cannot see all tasks removes no file', async () => {
  const one = await cluster();
  put(one, IMAGE);
  const admin = administratorOf(one);
  await admin('POST', '/access/users', { userid: 'pruner@pve', password: 'secret123' });
  for (const [at, roles] of [
    ['/storage', 'PVEDatastoreAdmin'],
    ['/vms', 'PVEVMAdmin'],
  ] as const)
    await admin('PUT', '/access/acl', { path: at, users: 'pruner@pve', roles });
  foreignTask(one.simulator, { type: 'download', id: IMAGE.slice('local:import/'.length) });
  const { PVE_TOKEN_ID: _, PVE_TOKEN_SECRET: __, ...access } = programAccess(one.simulator);
  const { out } = await runLine(
    ['gc', '--spec', '-', '--yes'],
    { ...access, PVE_USERNAME: 'pruner@pve', PVE_PASSWORD: 'secret123' },
    JSON.stringify(desiredJson([])),
  );
  expect(out).toContain(
    `${IMAGE} on pve1: left alone: which tasks are at work with it cannot be seen without Sys.Audit`,
  );
  expect(has(one, IMAGE)).toBe(true);
});
