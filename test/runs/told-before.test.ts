import { runLine } from '../reconciler/walk/live';
import { administratorOf } from '../support/cluster/administrator';
import { desiredJson, lab, type Json, type Lab } from '../support/cluster/lab';
import { writes } from '../support/cluster/end-state';
import { programAccess } from '../support/cluster/program-access';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const disks = [{ name: 'root', storage: 'local-lvm', size: '1Gi' }];
const web: Json = { id: 'web', image: { blank: true }, disks, power: 'stopped', vmid: 150 };
const run = (line: string[], machine: Json = web) =>
  runLine(
    [...line, '--spec', '-'],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson([machine])),
  );

it('says the former vmid and image as a spec does', async () => {
  expect(await run(['reconcile'])).toMatchObject({ code: 0 });
  const { out } = await run(['plan'], { ...web, vmid: 151, image: { template: 'ubuntu-22.04' } });
  expect(out).toContain('Set vmid back to 150.');
  expect(out).toContain('Set image back to {"blank": true}.');
});

it('says of a disk that somebody has grown what to write', async () => {
  const clone = { id: 'web', image: { template: 'ubuntu-22.04' }, disks: [{ name: 'root', size: '20Gi' }] };
  expect(await run(['reconcile'], { ...clone, power: 'stopped', vmid: 150 })).toMatchObject({ code: 0 });
  const admin = administratorOf(cluster);
  await admin('PUT', '/nodes/pve1/qemu/150/resize', { disk: 'scsi0', size: '30G' });
  const { out } = await run(['plan'], { ...clone, power: 'stopped', vmid: 150 });
  expect(out).toContain('In disks[root] set size to "30Gi": no disk shrinks.');
});

it('warns of the deletion of a snapshot that the spec wants', async () => {
  const machine = { ...web, snapshots: [{ name: 'clean' }] };
  expect(await run(['reconcile'], machine)).toMatchObject({ code: 0 });
  const { code, said } = await run(['snapshot', 'delete', 'web', 'clean', '--yes'], machine);
  expect({ code, said }).toEqual({
    code: 0,
    said: expect.stringContaining('The spec wants it: the next run takes a new one.'),
  });
});

it('says in the plan which snapshot before a change goes', async () => {
  const guarded = { ...web, snapshotBeforeChange: true };
  expect(await run(['reconcile'], guarded)).toMatchObject({ code: 0 });
  expect(await run(['reconcile'], { ...guarded, memory: '2Gi' })).toMatchObject({ code: 0 });
  const { out } = await run(['plan'], { ...guarded, memory: '3Gi' });
  expect(out).toContain('snapshots[before-change-1]: taken before a change -> (none)');
});

it('adopt of what no guest has is refused', async () => {
  const access = programAccess(cluster.simulator);
  const { code, said } = await runLine(['adopt', '--tag', 'nosuch', '--cluster', 'lab'], access);
  expect({ code, said }).toEqual({
    code: 3,
    said: expect.stringContaining('the cluster lists no guest of tag nosuch'),
  });
  expect(writes(cluster.simulator)).toEqual([]);
});
