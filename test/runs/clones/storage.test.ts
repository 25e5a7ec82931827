import type { MachinePlan } from '../../../reconciler/action';
import { actionText, planTexts } from '../../../reconciler/report/action-text';
import { lab, type Json, type Lab } from '../../support/cluster/lab';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

/** The first plan of the machine, and what was then done with volumes. */
async function made(want: Json): Promise<{ plan: MachinePlan; done: string[]; errors: string[] }> {
  const image = { template: 'ubuntu-22.04' };
  const errors = await cluster.bring({ id: 'web', image, power: 'stopped', ...want });
  const [plan] = cluster.events.flatMap(event => (event.kind === 'planned' ? [event.plan] : []));
  if (!plan) throw new Error('nothing was planned');
  const done = cluster.events.flatMap(event =>
    event.kind === 'started' && ['clone', 'move-disk'].includes(event.action.kind)
      ? [actionText(event.action)]
      : [],
  );
  return { plan, done, errors };
}

const sent = (): string[] =>
  cluster.simulator.ledger.entries().flatMap(({ method, path }) => {
    const [, verb] = /\/(clone|move_disk)$/.exec(path) ?? [];
    return method === 'POST' && verb !== undefined ? [verb] : [];
  });

/** What the plan says of volumes: how they are cloned, and which of them then move. */
function said({ actions, changes }: MachinePlan): string[] {
  const moves = changes.filter(({ field }) => field.endsWith('.storage'));
  return [...planTexts(actions), ...moves.map(({ field, to }) => `moving ${field} to ${to}`)];
}
const config = () =>
  Object.values(cluster.world.guests).find(guest => guest.config['name'] === 'web')?.config ?? {};

test.each<[string, string, RegExp, RegExp]>([
  ['beside its template', 'shared', /^cloning VM 9000 to VM \d+ on pve1$/, /^shared:9000\/base-9000-disk-0/],
  ['elsewhere', 'local-lvm', /^cloning VM 9000 to VM \d+ on pve1, in full onto local-lvm$/, /^local-lvm:vm-/],
])('a root disk %s is one clone, as its plan says', async (_, storage, text, volume) => {
  const { plan, done, errors } = await made({ disks: [{ name: 'root', storage }] });
  expect(errors).toEqual([]);
  expect(said(plan)).toEqual(done);
  expect(done).toEqual([expect.stringMatching(text)]);
  expect(sent()).toEqual(['clone']);
  expect(config()['scsi0']).toMatch(volume);
});

test('another disk of the template moves once the clone stands, as its plan says', async () => {
  const { volumes } = cluster.world;
  const first = volumes.find(({ volid }) => volid === 'shared:9000/base-9000-disk-0.qcow2');
  if (!first) throw new Error('the template has no disk');
  const volid = 'shared:9000/base-9000-disk-1.qcow2';
  volumes.push({ ...first, volid });
  cluster.world.guests[9000]!.config['scsi1'] = `${volid},size=10G`;
  const { plan, done, errors } = await made({
    disks: [{ name: 'data', slot: 'scsi1', storage: 'local-lvm' }],
  });
  expect(errors).toEqual([]);
  expect(done).toHaveLength(2);
  expect(said(plan)).toEqual([done[0], 'moving disks[data].storage to local-lvm']);
  expect(sent()).toEqual(['clone', 'move_disk']);
  expect(config()['scsi1']).toMatch(/^local-lvm:vm-/);
});

test('a linked clone onto another storage is refused before anything is sent', async () => {
  const image = { template: 'ubuntu-22.04', clone: 'linked' };
  const { plan, errors } = await made({ image, disks: [{ name: 'root', storage: 'local-lvm' }] });
  expect(plan.refusals).toMatchObject([{ why: 'linked-storage' }]);
  expect(errors).toEqual([expect.stringContaining("'local-lvm'")]);
  expect(cluster.simulator.ledger.entries().filter(({ write }) => write)).toEqual([]);
});
