import { runLine } from '../../reconciler/walk/live';
import { administratorOf } from '../../support/cluster/administrator';
import { ActsOnce } from '../../support/cluster/acts-once';
import { writes } from '../../support/cluster/end-state';
import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';

const disks = [{ name: 'root', storage: 'local', size: '1Gi', format: 'qcow2' }];
const base: Json = {
  id: 'base',
  image: { blank: true },
  node: 'pve1',
  vmid: 700,
  disks,
  shutdownTimeout: '1s',
};
const golden: Json = { ...base, asTemplate: true };
const REFUSED =
  /VM 700 is to be a template, and has snapshots: by-hand\..*pve-reconciler snapshot delete base by-hand/;

let cluster: Lab;
let actor: ActsOnce;
beforeEach(async () => {
  actor = new ActsOnce();
  cluster = await lab({ before: actor.asked });
  expect(errorsOf(await cluster.run(desired([base])))).toEqual([]);
});
afterEach(() => cluster.close());

const take = (name = 'by-hand') =>
  administratorOf(cluster)('POST', '/nodes/pve1/qemu/700/snapshot', { snapname: name });
const line = (...words: string[]) =>
  runLine([...words, '--spec', '-'], programAccess(cluster.simulator), JSON.stringify(desiredJson([golden])));
const runs = (): boolean => cluster.world.guests[700]?.running !== null;
const stops = (): string[] => writes(cluster.simulator).filter(each => /status\/(shutdown|stop)/.test(each));

test('a machine that runs and has snapshots is refused by plan and reconcile, with their names, and runs on', async () => {
  expect(await take()).toBe(true);
  cluster.simulator.ledger.reset();
  expect(await line('plan')).toMatchObject({ code: 3, out: expect.stringMatching(REFUSED) as string });
  expect(await line('reconcile')).toMatchObject({ code: 3, said: expect.stringMatching(REFUSED) as string });
  expect([runs(), writes(cluster.simulator)]).toEqual([true, []]);
});

test('so is one whose configuration names none of its snapshots', async () => {
  expect(await take('one')).toBe(true);
  expect(await take('by-hand')).toBe(true);
  const ask = administratorOf(cluster);
  expect(await ask('POST', '/nodes/pve1/qemu/700/snapshot/one/rollback')).toBe(true);
  expect(await ask('DELETE', '/nodes/pve1/qemu/700/snapshot/one')).toBe(true);
  expect(await ask('POST', '/nodes/pve1/qemu/700/status/start')).toBe(true);
  expect(cluster.world.guests[700]?.config['parent']).toBeUndefined();
  expect((await line('plan')).out).toMatch(REFUSED);
});

test('what the refusal says works', async () => {
  expect(await take()).toBe(true);
  expect(await line('snapshot', 'delete', 'base', 'by-hand', '--yes')).toMatchObject({ code: 0 });
  expect(await line('reconcile')).toMatchObject({ code: 0 });
  expect(cluster.world.guests[700]?.config['template']).toBe('1');
});

test('a snapshot that somebody takes between plan and shutdown keeps it running', async () => {
  // its mark says by now that it is to be a template
  actor.before(/^GET .*\/qemu\/700\/snapshot$/, async () => {
    // the plan's own reading is the first
    actor.before(/^GET .*\/qemu\/700\/snapshot$/, () => take());
  });
  expect(errorsOf(await cluster.run(desired([golden]))).join()).toMatch(REFUSED);
  expect(actor.hasActed()).toBe(true);
  expect([runs(), stops()]).toEqual([true, []]);
});

test('the plan says that a template is made, and that there is no way back', async () => {
  const { out } = await line('plan');
  expect(out).toMatch(/^base: would .*shut down, then make a template of it \(which cannot be undone\)$/m);
  expect(out).toContain('WARNING: VM 700 becomes a template, and that cannot be undone');
  expect((await line('reconcile')).said).toContain('that cannot be undone');
  expect(cluster.world.guests[700]?.config['template']).toBe('1');
  expect((await line('plan')).out).not.toContain('cannot be undone');
});
