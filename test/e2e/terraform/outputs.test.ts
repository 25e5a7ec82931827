import { TerraformOutput, type TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, ProxmoxNode, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const small: MachineProps = {
  image: Image.fromTemplate('ubuntu-22.04'),
  memory: '1Gi',
  node: 'pve1',
  pin: true,
};

/** A stack with these machines, all on one node, and every output. */
function withOutputs(...ids: string[]) {
  return (stack: TerraformStack): void => {
    const out = (name: string, value: unknown): TerraformOutput =>
      new TerraformOutput(stack, name, { value, staticId: true });
    const cluster = new ProxmoxCluster(stack, 'lab');
    const node = new ProxmoxNode(stack, 'pve1');
    out('cluster', {
      ready: cluster.ready,
      version: cluster.version,
      quorate: cluster.quorate,
      nodes: cluster.nodes,
    });
    out('node', { ready: node.ready, resources: node.resources, vmCount: node.vmCount });
    for (const id of ids) {
      const machine = new Machine(stack, id, { ...small, networks: [{ name: 'lan' }] });
      const { vmid, nodeName, uuid, guestName, phase, powerState, restartRequired, consoleUrl } = machine;
      const { disks, macAddresses, pendingChanges, conditions, snapshots } = machine;
      out(`${id}-facts`, { vmid, nodeName, uuid, guestName, phase, powerState, restartRequired, consoleUrl });
      out(`${id}-lists`, { disks, macAddresses, pendingChanges, conditions, snapshots });
      out(`${id}-mac`, machine.macAddress('lan'));
      out(`${id}-addresses`, { first: machine.primaryIpAddress, all: machine.ipAddresses });
    }
  };
}

describeEachEngine('the outputs of a stack', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());

  const guestsThere = async (): Promise<number> => {
    const { node } = (await lab.outputs()) as { node: { vmCount: number } };
    return node.vmCount;
  };

  test('they are what the cluster has, and come to rest also after machines come and go', async () => {
    const there = Object.values(lab.world.guests).filter(
      ({ node, config }) => node === 'pve1' && config['template'] === undefined,
    ).length;
    await lab.synth(withOutputs('web', 'db'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    const told = await lab.outputs();
    expect(told).toMatchObject({
      cluster: { ready: true, quorate: true, nodes: ['pve1', 'pve2', 'pve3'] },
      node: { ready: true, vmCount: there + 2 },
      'web-facts': {
        nodeName: 'pve1',
        guestName: 'web',
        phase: 'Running',
        powerState: 'running',
        restartRequired: false,
      },
      'web-lists': { disks: { scsi0: { slot: 'scsi0' } }, pendingChanges: [], snapshots: [] },
    });
    const { macAddresses } = told['web-lists'] as { macAddresses: { lan: string } };
    expect(macAddresses.lan).toMatch(/^([0-9A-F]{2}:){5}[0-9A-F]{2}$/);
    expect(told['web-mac']).toBe(macAddresses.lan);
    const { first, all } = told['web-addresses'] as { first: string; all: string[] };
    expect(first).toMatch(/^10(\.\d+){3}$/);
    expect(all).toContain(first);

    await lab.synth(withOutputs('web', 'db', 'cache'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await guestsThere()).toBe(there + 3);
    expect(await lab.plan()).toMatchObject({ code: 0 });

    await lab.synth(withOutputs('web'));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await guestsThere()).toBe(there + 1);
    expect(await lab.plan()).toMatchObject({ code: 0 });
    expect(await lab.destroy()).toMatchObject({ code: 0 });
  }, 240_000);
});
