import type { TerraformStack } from 'cdktf';
import { Image, Machine, PreparedImage, ProxmoxCluster } from '../../../constructs';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { numbersBelow } from '../../support/in-parallel';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

/** Fewer in the gate, for its time: MACHINES=20 makes twenty. */
const MACHINES = numbersBelow(Number(process.env['MACHINES'] ?? 12)).map(index => `m${index}`);
const disk = qcow2(2 ** 31);
const digits = sha256(disk).slice(7, 17);

describeEachEngine('machines of one image, ten at once', engine => {
  let lab: Deployment;
  let server: ImageServer;
  beforeEach(async () => {
    server = await imageServer({ '/debian.qcow2': disk });
    lab = await deployment(engine);
  });
  afterEach(async () => {
    expect(brokenInvariants(lab.simulator.sim)).toEqual([]);
    await lab.close();
    await server.close();
  });

  const source = () => ({ url: server.url('/debian.qcow2'), checksum: sha256(disk) });
  const apply = () => lab.apply('-parallelism=10');
  /** How often Proxmox was asked to download since the last call, and all that it was asked to write. */
  const asked = (): { downloads: number; writes: string[] } => {
    const writes = lab.writes();
    return { downloads: writes.filter(line => line.endsWith('/download-url')).length, writes };
  };
  /** Somebody makes room: the file that all were made of goes. */
  const fileRemoved = async (): Promise<void> => {
    const [file, ...more] = lab.world.volumes.filter(({ content }) => content === 'import');
    expect(more).toEqual([]);
    await lab.byHand('DELETE', `/nodes/pve1/storage/${file?.storage}/content/${file?.volid}`);
    lab.writes();
  };

  test('of its address: one download; the next apply changes nothing, also without the file', async () => {
    await lab.synth((stack: TerraformStack) => {
      new ProxmoxCluster(stack, 'lab');
      const [image, disks] = [
        Image.fromUrl(source().url, source()),
        [{ name: 'root', storage: 'local-lvm' }],
      ];
      for (const id of MACHINES) new Machine(stack, id, { image, disks, power: 'stopped' });
    });
    expect(await apply()).toMatchObject({ code: 0 });
    expect([asked().downloads, server.downloads(), lab.guests()]).toEqual([1, 1, [...MACHINES].sort()]);
    await fileRemoved();
    expect((await apply()).text).toContain('Resources: 0 added, 0 changed, 0 destroyed');
    expect(asked()).toEqual({ downloads: 0, writes: [] });
  });

  test('made ready on two nodes: one download, a template a node, each machine a clone of the one beside it', async () => {
    await lab.synth((stack: TerraformStack) => {
      new ProxmoxCluster(stack, 'lab');
      const nodes = ['pve1', 'pve2'];
      const debian = new PreparedImage(stack, 'debian', { ...source(), nodes, diskStorage: 'local-lvm' });
      for (const id of MACHINES) new Machine(stack, id, { image: debian.image, power: 'stopped' });
    });
    expect(await apply()).toMatchObject({ code: 0 });
    const { downloads, writes } = asked();
    expect([downloads, server.downloads()]).toEqual([1, 1]);
    const names = ['pve1', 'pve2'].map(node => `debian-${digits}-${node}`);
    expect(lab.guests()).toEqual([...names, ...MACHINES].sort());
    const bases = new Map(names.map(name => [lab.guest(name)?.node, lab.guest(name)]));
    expect([...bases].map(([node, guest]) => [node, guest?.config['template']])).toEqual([
      ['pve1', '1'],
      ['pve2', '1'],
    ]);
    const cloned = MACHINES.map(id => lab.guest(id)?.node).map(
      node => `POST /nodes/${node}/qemu/${bases.get(node)?.vmid}/clone`,
    );
    expect(writes.filter(line => line.endsWith('/clone')).sort()).toEqual(cloned.sort());
    await fileRemoved();
    expect((await apply()).text).toContain('Resources: 0 added, 0 changed, 0 destroyed');
    expect(asked()).toEqual({ downloads: 0, writes: [] });
    await lab.synth(stack => void new ProxmoxCluster(stack, 'lab'));
    expect(await apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
  });
});
