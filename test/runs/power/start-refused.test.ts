import type { Json } from '../../support/cluster/lab';
import { lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

/** What a person reads when Proxmox makes a machine and cannot start it: the machine, Proxmox's reason, and what is safe. */
test.each<[Json, string]>([
  [
    { machine: 'pc-i440fx-99.0' },
    "is too old to run machine type 'pc-i440fx-99.0+pve0', please upgrade node",
  ],
  [{ pci: [{ host: '0000:ff:1f.0' }] }, "no PCI device found for '0000:ff:1f.0'"],
])('%j', async (fields, reason) => {
  const cluster = await lab({ taskMs: 0, as: 'root' });
  try {
    delete cluster.world.devices;
    const said = (await cluster.bring({ ...blankMachine, power: 'running', ...fields })).join('\n');
    expect(said).toContain(reason);
    expect(said).toContain('Running again is safe');
    const made = Object.values(cluster.world.guests).filter(({ config }) => config['name'] === 'web');
    expect(made.map(({ running }) => running)).toEqual([null]);
  } finally {
    await cluster.close();
  }
});
