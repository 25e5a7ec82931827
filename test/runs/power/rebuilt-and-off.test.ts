import { marked, writes } from '../../support/cluster/end-state';
import { lab, type Json, type Lab } from '../../support/cluster/lab';
import { blankMachine } from '../../support/runs/blank-machine';

const SNIPPET = 'local:snippets/hook.sh';
const web: Json = {
  ...blankMachine,
  power: 'running',
  forceStop: true,
  shutdownTimeout: '1s',
  rebuildOn: ['disks'],
};
const smaller = { disks: [{ name: 'root', size: '2G', storage: 'local-lvm' }] };

let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ as: 'root', taskMs: 0 });
  const { world } = cluster;
  const { vmid: _, ...snippet } = world.volumes[0]!;
  world.volumes.push({ ...snippet, volid: SNIPPET, storage: 'local', node: 'pve1', content: 'snippets' });
  const local = world.storages.find(({ storage }) => storage === 'local')!;
  local.content = `${local.content.replace(/,?snippets/, '')},snippets`;
  world.devices = { pci: [], usb: [] };
  world.mappings = {
    pci: { gpu: { settings: {}, map: ['id=10de:2204,node=pve1,path=0000:01:00.0'] } },
    usb: { key: { settings: {}, map: ['id=1050:0407,node=pve1'] } },
  };
});
afterEach(() => cluster.close());

const allGoes = () => {
  const { world, simulator } = cluster;
  world.volumes = world.volumes.filter(({ volid }) => volid !== SNIPPET);
  // an empty list may be all that the caller sees: another one is left
  const left = { other: { settings: {}, map: ['id=1:1,node=pve1'] } };
  world.mappings = { pci: left, usb: left };
  simulator.ledger.reset();
};
const sent = () => writes(cluster.simulator).filter(line => !line.endsWith('/ticket'));
const destroys = () => sent().filter(line => line.startsWith('DELETE'));

describe('a machine is not destroyed to be made anew where the new one could not start', () => {
  it.each<[string, Json, string]>([
    ['its hook script is gone', { hookScript: SNIPPET }, `hookscript is ${SNIPPET}`],
    [
      'a snippet of its cloud-init data is gone',
      { options: { cicustom: `user=${SNIPPET}` }, cloudInit: { user: 'a' } },
      `cicustom is ${SNIPPET}`,
    ],
    ['the mapping of a PCI device is gone', { pci: [{ mapping: 'gpu' }] }, "the mapping 'gpu'"],
    ['the mapping of a USB device is gone', { usb: [{ mapping: 'key' }] }, "the mapping 'key'"],
  ])('%s', async (_, more, said) => {
    expect(await cluster.bring({ ...web, ...more })).toEqual([]);
    const [before] = marked(cluster.world, 'web');
    allGoes();
    const errors = await cluster.bring({ ...web, ...more, ...smaller });
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(errors[0]).toContain('It is to be made anew, and would not start on pve1');
    expect(errors[0]).toContain('say another one in the spec');
    expect(before?.running).not.toBeNull();
    expect(sent()).toEqual([]);
    // as the remedy says: the spec asks for it no more
    expect(await cluster.bring({ ...web, ...smaller })).toEqual([]);
    expect(destroys()).toHaveLength(1);
    expect(marked(cluster.world, 'web')[0]?.running).not.toBeNull();
  });

  it('unless it is to be off', async () => {
    const off = { ...web, power: 'stopped', hookScript: SNIPPET };
    expect(await cluster.bring(off)).toEqual([]);
    allGoes();
    const errors = await cluster.bring({ ...off, ...smaller });
    expect(errors.join()).not.toContain('would not start');
  });

  it('what it is cloned from brings a hook script that is gone', async () => {
    const template = Object.values(cluster.world.guests).find(
      ({ config }) => config['name'] === 'ubuntu-22.04',
    )!;
    const { disks: _, ...bare } = web;
    const clone = {
      ...bare,
      image: { template: 'ubuntu-22.04' },
      vmid: 20_001,
      rebuildOn: ['vmid'],
      shutdownTimeout: '1s',
    };
    expect(await cluster.bring(clone)).toEqual([]);
    template.config['hookscript'] = SNIPPET;
    allGoes();
    const [said] = await cluster.bring({ ...clone, vmid: 20_002 });
    expect(said).toContain(`It is to be made anew, and would not start on pve1: hookscript is ${SNIPPET}`);
    expect(said).toContain(`qm set ${template.vmid} --delete hookscript on node ${template.node}`);
    expect(destroys()).toEqual([]);
    delete template.config['hookscript'];
    expect(await cluster.bring({ ...clone, vmid: 20_002 })).toEqual([]);
    expect(cluster.world.guests[20_002]?.running).not.toBeNull();
  });
});
