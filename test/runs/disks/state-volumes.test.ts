import { administratorOf } from '../../support/cluster/administrator';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/** The TPM's state and the EFI disk, which somebody takes off: what they hold is nowhere else. */
const machine = (more: Json = {}): Json => ({
  ...blankMachine,
  ...{ power: 'running', restart: 'never', bios: 'uefi', tpm: { storage: 'local-lvm' } },
  efiDisk: { storage: 'local-lvm' },
  ...more,
});
const at = '/nodes/pve1/qemu/10000';

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
  await bring(machine());
});
afterEach(() => cluster.close());

const guest = () => cluster.world.guests[10_000]!;
const somebody = async (method: string, path: string, form: Record<string, string> = {}): Promise<void> =>
  expect(await administratorOf(cluster)(method, at + path, form)).toBe(true);
const bring = async (want: Json): Promise<void> => expect(await cluster.bring(want)).toEqual([]);

it.each(['tpmstate0', 'efidisk0'])(
  '%s stays where somebody marked it for removal at the next start',
  async slot => {
    const before = guest().config[slot];
    const volumes = cluster.world.volumes.length;
    await somebody('PUT', '/config', { delete: slot });
    expect(guest().pendingDelete).toHaveProperty(slot);
    await bring(machine());
    expect(cluster.world.volumes).toHaveLength(volumes);
    await somebody('POST', '/status/stop');
    expect(guest().config[slot]).toBe(before);
  },
);

it.each(['tpmstate0', 'efidisk0'])('a plan tells that %s, which was taken off, is made anew', async slot => {
  const volume = /^[^,]+/.exec(guest().config[slot]!)![0];
  await somebody('POST', '/status/stop');
  await somebody('PUT', '/config', { delete: slot });
  expect(guest().config).toMatchObject({ unused0: volume });
  // as the warning says, in time
  const line = `${volume},${slot === 'tpmstate0' ? 'version=v2.0' : 'efitype=4m'}`;
  await somebody('PUT', '/config', { [slot]: line });
  await bring(machine({ power: 'stopped' }));
  expect(guest().config[slot]).toContain(volume);
  await somebody('PUT', '/config', { delete: slot });
  const seen = cluster.events.length;
  await bring(machine({ power: 'stopped' }));
  const told = JSON.stringify(cluster.events.slice(seen));
  expect(told).toContain('gets a new, empty volume');
  const properties = slot === 'tpmstate0' ? 'version=v2.0' : 'efitype=4m';
  expect(told).toContain(`qm set 10000 --${slot} VOLUME,${properties})`);
  expect(guest().config).toMatchObject({ unused0: volume });
});
