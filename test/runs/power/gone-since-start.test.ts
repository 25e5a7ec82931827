import { writes } from '../../support/cluster/end-state';
import type { Json, Lab } from '../../support/cluster/lab';
import { terraformOn } from '../../support/runs/as-planned';
import { runningWeb } from '../../support/runs/running-web';

const ISO = 'shared:iso/debian-12.9.0-amd64-netinst.iso';
let web: Awaited<ReturnType<typeof runningWeb>>;
let cluster: Lab;
beforeEach(async () => {
  web = await runningWeb();
  ({ cluster } = web);
});
afterEach(() => cluster.close());
const guest = () => web.guest();
const change = (fields: Json) => web.change(fields);
const sent = () => writes(cluster.simulator).filter(line => !line.endsWith('/ticket'));

// A guest that runs has what it was started with, also where that is gone by now: after a stop it would not start again.
describe('a machine is not stopped for a restart where what it would start with is gone', () => {
  it.each([
    [
      'the ISO in its drive',
      'ide2',
      'shared:iso/gone.iso,media=cdrom',
      "ide2 is shared:iso/gone.iso, which storage 'shared' does not have",
    ],
    [
      'its hook script',
      'hookscript',
      'local:snippets/gone.sh',
      "hookscript is local:snippets/gone.sh, which storage 'local' does not have",
    ],
    [
      'a snippet of its cloud-init data',
      'cicustom',
      'user=local:snippets/gone.yaml',
      "cicustom is local:snippets/gone.yaml, which storage 'local' does not have",
    ],
    [
      'the storage of its cloud-init drive',
      'ide3',
      'away:vm-10000-cloudinit,media=cdrom',
      "ide3 is on storage 'away', and the node has",
    ],
  ])('%s', async (_, key, text, said) => {
    guest().config['ide1'] = 'local-lvm:vm-10000-cloudinit,media=cdrom';
    guest().config[key] = text;
    const errors = await change({ cpu: { cores: 2 } });
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
    // what needs no restart is done
    expect(await change({ tags: ['a'] })).toEqual([]);
  });

  const gpu = (node: string) => ({
    gpu: { settings: {}, map: [`id=10de:2204,node=${node},path=0000:01:00.0`] },
  });
  const key = (node: string) => ({ key: { settings: {}, map: [`id=1050:0407,node=${node}`] } });

  it.each([
    ['the mapping of a PCI device', 'hostpci0', 'gone', 'PCI'],
    ['the mapping of a USB device', 'usb0', 'gone', 'USB'],
    ['a mapping of a PCI device that names another node only', 'hostpci0', 'gpu', 'PCI'],
    ['a mapping of a USB device that names another node only', 'usb0', 'key', 'USB'],
  ])('%s', async (_, slot, name, kind) => {
    cluster.world.devices = { pci: [], usb: [] };
    cluster.world.mappings = { pci: gpu('pve2'), usb: key('pve2') };
    guest().config[slot] = `mapping=${name}`;
    const errors = await change({ cpu: { cores: 2 } });
    const said = `${slot} is the mapping '${name}', which names no ${kind} device of that node`;
    expect(errors).toEqual([expect.stringContaining(said)]);
    expect(guest().running).not.toBeNull();
    expect(sent()).toEqual([]);
    expect(await change({ tags: ['a'] })).toEqual([]);
  });

  it('and is restarted where its devices are mapped on its node', async () => {
    cluster.world.devices = { pci: [], usb: [] };
    cluster.world.mappings = { pci: gpu('pve1'), usb: key('pve1') };
    Object.assign(guest().config, { hostpci0: 'mapping=gpu', usb0: 'mapping=key' });
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });

  it('as the spec has it, with a remedy that the spec can follow', async () => {
    expect(await change({ cdrom: ISO })).toEqual([]);
    cluster.world.volumes = cluster.world.volumes.filter(({ volid }) => volid !== ISO);
    const [said] = await change({ cdrom: ISO, cpu: { cores: 2 } });
    expect(said).toContain('Bring the file back, or say another one in the spec. Then run again.');
    expect(guest().running).not.toBeNull();
    expect(await change({ cdrom: 'none', cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });

  it('a hook script on a storage that lists none is there, as far as anybody knows', async () => {
    for (const storage of cluster.world.storages)
      if (storage.storage === 'local') storage.content = storage.content.replace(/,?snippets/, '');
    guest().config['hookscript'] = 'local:snippets/hook.sh';
    await change({ cpu: { cores: 2 } });
    expect(sent().join()).toContain('/status/');
  });

  it('a snippet that no drive needs is missed by nobody', async () => {
    guest().config['cicustom'] = 'user=local:snippets/gone.yaml';
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });

  it('its bridge, which another change than that of a card is the first to miss', async () => {
    guest().config['net0'] = 'virtio=BC:24:11:00:00:01,bridge=vmbr9';
    expect(await change({ cpu: { cores: 2 } })).toEqual([
      expect.stringContaining("net0 is on bridge 'vmbr9', and the node has vmbr0"),
    ]);
    // not even what would wait for that restart
    expect(sent()).toEqual([]);
  });

  it('its bridge, since the plan that Terraform applies', async () => {
    const terraform = terraformOn(cluster);
    const wants = { ...web.spec, cpu: { cores: 2 } };
    const token = await terraform.plan(wants);
    guest().config['net0'] = 'virtio=BC:24:11:00:00:01,bridge=vmbr9';
    expect((await terraform.apply(wants, token)).join()).toContain("net0 is on bridge 'vmbr9'");
    // also the cores, which would wait for that restart, are as they were
    expect(sent()).toEqual([]);
  });

  it('a mapping of an odd name', async () => {
    cluster.world.devices = { pci: [], usb: [] };
    cluster.world.mappings = { pci: gpu('pve1'), usb: {} };
    guest().config['hostpci0'] = 'mapping=constructor';
    const said = "hostpci0 is the mapping 'constructor', which names no PCI device";
    expect(await change({ cpu: { cores: 2 } })).toEqual([expect.stringContaining(said)]);
  });

  it('what only waits is written, and so is all else', async () => {
    guest().config['ide2'] = 'shared:iso/gone.iso,media=cdrom';
    const waits = { restart: 'never', cpu: { cores: 2 } };
    expect(await change({ ...waits, tags: ['a'] })).toEqual([]);
    expect(guest().config['tags']).toContain('a');
    cluster.simulator.ledger.reset();
    expect(await change({ ...waits, tags: ['a'] })).toEqual([]);
    expect(sent()).toEqual([]);
    expect(guest().running).not.toBeNull();
  });

  it('also where another file on that storage is asked for at the same time', async () => {
    guest().config['hookscript'] = 'shared:snippets/gone.sh';
    const errors = await change({ cpu: { cores: 2 }, cdrom: ISO });
    expect(errors).toEqual([expect.stringContaining('hookscript is shared:snippets/gone.sh')]);
    expect(sent()).toEqual([]);
  });

  it('and is restarted where all of it is there', async () => {
    guest().config['ide2'] = `${ISO},media=cdrom`;
    expect(await change({ cpu: { cores: 2 } })).toEqual([]);
    expect(guest()).toMatchObject({ config: { cores: '2' }, running: expect.anything() as unknown });
  });
});
