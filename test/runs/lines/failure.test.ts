import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const web = { id: 'web', image: { template: 'ubuntu-22.04' }, networks: [{ name: 'lan' }] };
const api = { ...web, id: 'api' };
const db = { id: 'db', image: { blank: true }, power: 'stopped' };

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

const answerClones = (status: number, text: string, count?: number) =>
  lab.simulator.faults.add({
    methods: ['POST'],
    path: '/nodes/*/qemu/*/clone',
    ...(count === undefined ? {} : { count }),
    effect: { kind: 'answer', status, text },
  });
const deny = (count?: number) =>
  answerClones(403, 'Permission check failed (/vms/10000, VM.Allocate)', count);
const DENIED =
  /FAILED while cloning VM 9000 to VM \d+ on pve\d: POST .*VM\.Allocate.*Running again is safe\.$/;

const linesOf = (text: string) => text.trim().split('\n');
const times = (text: string, said: string) => text.split(said).length - 1;

test('one machine: its failure is the last line, and stands once', async () => {
  deny();
  const { code, stderr } = await lab.people('reconcile', [web]);
  expect(code).toBe(1);
  expect(linesOf(stderr).at(-1)).toMatch(/^web: FAILED/);
  expect(linesOf(stderr).at(-1)).toMatch(DENIED);
  expect(times(stderr, 'VM.Allocate')).toBe(1);
});

test.each([
  ['', []],
  ['also with --quiet', ['--quiet']],
])('several machines: each failure once, as it happens; the end names them %s', async (_, args) => {
  deny(1);
  const { code, stderr } = await lab.people('reconcile', [web, db], args);
  expect(code).toBe(1);
  const told = linesOf(stderr).filter(line => line.includes('VM.Allocate'));
  expect(told).toEqual([expect.stringMatching(DENIED)]);
  if (args.length === 0) expect(linesOf(stderr).at(-1)).toBe('1 machine is as wanted, 1 failed: web.');
  else expect(linesOf(stderr)).toEqual(told);
});

test('the same reason of two machines is told of each', async () => {
  deny();
  const { stderr } = await lab.people('reconcile', [web, api, db]);
  expect(stderr).toMatch(/^web: FAILED while/m);
  expect(stderr).toMatch(/^api: FAILED while/m);
  expect(times(stderr, 'VM.Allocate')).toBe(2);
  expect(linesOf(stderr).at(-1)).toBe('1 machine is as wanted, 2 failed: web, api.');
});

test('a refusal and a failure without a step are told and counted apart; JSON names them', async () => {
  const foreign = Object.values(lab.world.guests).find(({ type }) => type === 'qemu')!;
  const taken = { ...db, id: 'taken', vmid: foreign.vmid };
  for (const vmid of [10_000, 10_001, 10_002]) {
    lab.simulator.faults.add({
      methods: ['GET'],
      path: `/nodes/*/qemu/${vmid}/pending`,
      effect: { kind: 'answer', status: 500, text: 'boom' },
    });
  }
  const { code, stdout, stderr } = await lab.people(
    'reconcile',
    [taken, db, { ...db, id: 'off' }],
    ['--json'],
  );
  expect(code).toBe(1);
  const events = linesOf(stderr).map(line => JSON.parse(line) as Record<string, string>);
  const failed = events.filter(({ level }) => level === 'error');
  expect(failed.map(({ machine, event }) => [machine, event]).sort()).toEqual([
    ['db', 'failed'],
    ['off', 'failed'],
    ['taken', 'failed'],
  ]);
  expect(failed.find(({ machine }) => machine === 'taken')?.['message']).toMatch(
    /^REFUSED: VM \d+ already exists/,
  );
  expect(events.at(-1)?.['message']).toBe('0 machines are as wanted, 2 failed: db, off, 1 refused: taken.');
  const { failed: named } = JSON.parse(stdout) as { failed: { machine: string; error: string }[] };
  expect(named.map(({ machine }) => machine)).toEqual(['taken', 'db', 'off']);
  expect(named[1]?.error).toMatch(/^ERROR: GET .*boom/);
});

test('what Terraform shows of one machine ends with its failure, whole and once', async () => {
  deny();
  const { code, stderr } = await lab.apply(web);
  expect(code).toBe(1);
  expect(linesOf(stderr).at(-1)).toMatch(DENIED);
  expect(times(stderr, 'VM.Allocate')).toBe(1);
});

test('a step that is tried until the time is up is told once, then counted, then failed', async () => {
  answerClones(500, "can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout");
  const { code, stderr } = await lab.apply({ ...web, timeouts: { create: '3s' } } as typeof web);
  expect(code).toBe(1);
  expect(linesOf(stderr)).toEqual([
    'web: cloning VM 9000 to VM 10000 on pve1',
    expect.stringMatching(/^web: POST .* - got timeout\. It is tried again\.$/),
    expect.stringMatching(/^web: tried again \d+ times in \d+s\.$/),
    expect.stringMatching(/^web: FAILED while cloning VM 9000 to VM 10000 on pve1: its time is up .*safe\.$/),
  ]);
});
