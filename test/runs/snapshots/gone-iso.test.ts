import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

const ISO = 'shared:iso/debian-12.9.0-amd64-netinst.iso';
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab();
  const want = { ...blankMachine, power: 'running' };
  expect(await cluster.bring(want)).toEqual([]);
  // somebody installed it from an ISO, and took that out again
  guest().config['ide2'] = `${ISO},media=cdrom`;
  expect(
    await cluster.bring({ ...want, snapshots: [{ name: 'clean' }, { name: 'ram', includeMemory: true }] }),
  ).toEqual([]);
  guest().config['ide2'] = 'none,media=cdrom';
  cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => volid !== ISO);
  cluster.simulator.ledger.reset();
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const back = (more: Json = {}) =>
  cluster.bring({ ...blankMachine, power: 'running', revertTo: 'clean', ...more });

describe('a snapshot that has an ISO in a drive which was deleted since', () => {
  it('is not gone back to: the machine would be off then, and not start', async () => {
    const [said] = await back();
    expect(said).toContain(
      `Once it went back to snapshot 'clean' it would not start on pve1: ide2 is ${ISO}`,
    );
    expect(said).toContain('Bring that back');
    expect(said).toContain('qm rollback 10000 clean');
    expect(guest().running).not.toBeNull();
    expect(writes(cluster.simulator)).toEqual([]);
  });

  it('is gone back to where the machine is to be off, or the spec says what is in the drive', async () => {
    expect(await back({ cdrom: 'none' })).toEqual([]);
    expect(guest()).toMatchObject({
      config: { ide2: 'none,media=cdrom' },
      running: expect.anything() as unknown,
    });
    expect(await back({ power: 'stopped', revertTo: 'clean#2' })).toEqual([]);
    expect(guest().config['ide2']).toBe(`${ISO},media=cdrom`);
  });

  it('is not gone back to where it keeps the power that it has, and runs', async () => {
    const [said] = await back({ power: 'unmanaged' });
    expect(said).toContain(`it would not start on pve1: ide2 is ${ISO}`);
    expect(writes(cluster.simulator)).toEqual([]);
    expect(guest().running).not.toBeNull();
  });

  it('is not gone back to with its memory either, whatever the spec says', async () => {
    const [said] = await back({ cdrom: 'none', revertTo: 'ram' });
    expect(said).toContain(`it would not start on pve1: ide2 is ${ISO}`);
    expect(said).toContain('Or go back in Proxmox');
    expect(writes(cluster.simulator)).toEqual([]);
  });

  it('is gone back to where the machine is to be off and the spec names a file that is gone, too', async () => {
    guest().running = null;
    expect(await back({ power: 'stopped', cdrom: ISO })).toEqual([]);
    expect(writes(cluster.simulator).join()).toContain('/snapshot/clean/rollback');
  });
});
