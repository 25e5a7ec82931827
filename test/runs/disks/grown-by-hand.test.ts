import { administratorOf } from '../../support/cluster/administrator';
import { writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { daemonLab, until } from '../../support/daemon/daemon-lab';
import { HeldRequests } from '../../support/cluster/held-requests';
import { blankMachine } from '../../support/runs/blank-machine';

/** A machine that may be made anew for its disks, and somebody who grows one by hand: it is not made anew for that. */
const disk = (name: string, size: string): Json => ({ name, size, storage: 'local-lvm' });
const machine = (data: string, more: Json = {}): Json => ({
  ...blankMachine,
  rebuildOn: ['disks'],
  disks: [disk('root', '8G'), disk('data', data)],
  ...more,
});
const at = '/nodes/pve1/qemu/10000';
const REFUSED = 'Disk "data" has 6Gi and cannot shrink to 4Gi. The spec did not come to this, so somebody';

describe('with one connection', () => {
  let cluster: Lab;
  let held: HeldRequests;
  beforeEach(async () => {
    held = new HeldRequests();
    cluster = await lab({ isOneConnection: true, before: held.before });
  });
  afterEach(() => cluster.close());
  const config = () => cluster.world.guests[10_000]!.config;
  const grow = async (): Promise<void> =>
    expect(await administratorOf(cluster)('PUT', `${at}/resize`, { disk: 'scsi1', size: '6G' })).toBe(true);
  const isRefused = async (wanted: Json): Promise<void> => {
    cluster.simulator.ledger.reset();
    expect((await cluster.bring(wanted)).join()).toContain(REFUSED);
    expect(writes(cluster.simulator)).toEqual([]);
  };

  it('is refused, and says how it may stay, and how it is made anew', async () => {
    const wanted = machine('4G');
    expect(await cluster.bring(wanted)).toEqual([]);
    const { smbios1 } = config();
    await grow();
    await isRefused(wanted);
    // also where the spec grows it, by less
    expect((await cluster.bring(machine('5G'))).join()).toContain('cannot shrink to 5Gi. The spec did not');
    expect(await cluster.bring(machine('6G'))).toEqual([]);
    expect(config()).toMatchObject({ smbios1, scsi1: expect.stringContaining('size=6G') as string });
    expect(await cluster.bring(machine('4G'))).toEqual([]);
    expect(config()['smbios1']).not.toBe(smbios1);
    await isAtRest(machine('4G'));
  });

  it('is refused where somebody grows it while a run is at work', async () => {
    expect(await cluster.bring(machine('4G'))).toEqual([]);
    const { smbios1 } = config();
    const asked = held.next('PUT /nodes/pve1/qemu/10000/config');
    const ended = cluster.bring(machine('4G', { memory: '2Gi' }));
    await asked.met;
    await grow();
    asked.release();
    expect((await ended).join()).toContain(REFUSED);
    expect(config()['smbios1']).toBe(smbios1);
  });

  it('of a machine whose mark remembers nothing is refused too, until an apply has remembered it', async () => {
    expect(await cluster.bring(machine('4G'))).toEqual([]);
    const { smbios1, description = '' } = config();
    config()['description'] = description.replace(/,"lw":\{[^}]*\}/, '');
    expect((await cluster.bring(machine('3G'))).join()).toContain('its mark does not remember');
    expect(await cluster.bring(machine('4G'))).toEqual([]);
    expect(config()['description']).toBe(description);
    await isAtRest(machine('4G'));
    expect(await cluster.bring(machine('3G'))).toEqual([]);
    expect(config()['smbios1']).not.toBe(smbios1);
  });

  it('costs a machine that is never made anew neither a byte of its mark nor a request', async () => {
    for (const rebuildOn of [undefined, [], ['image']]) {
      expect(await cluster.bring(machine('4G', { rebuildOn }))).toEqual([]);
      expect(config()['description']).not.toContain('"lw"');
      await isAtRest(machine('4G', { rebuildOn }));
    }
  });

  async function isAtRest(wanted: Json): Promise<void> {
    cluster.simulator.ledger.reset();
    expect(await cluster.bring(wanted)).toEqual([]);
    expect(writes(cluster.simulator)).toEqual([]);
  }
});

it('the daemon leaves such a machine as it is', async () => {
  const there = await daemonLab([machine('4G')]);
  try {
    const { lines } = there.start();
    const isMade = (config: Record<string, string>): boolean =>
      config['description']?.includes('"lw"') === true;
    const [guest] = await until(
      () => there.guests('web'),
      found => found.some(({ config }) => isMade(config) && config['scsi1'] !== undefined),
    );
    const { smbios1, scsi1 = '' } = guest!.config;
    guest!.config['scsi1'] = scsi1.replace('size=4G', 'size=6G');
    await until(
      () => lines,
      said => said.some(line => JSON.stringify(line).includes('cannot shrink')),
    );
    expect(there.guests('web')).toMatchObject([{ config: { smbios1 } }]);
  } finally {
    await there.close();
  }
});
