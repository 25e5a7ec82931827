import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { Simulator } from '../../../simulator';
import { defaultWorld } from '../../../simulator';
import { ActsOnce } from '../../support/cluster/acts-once';
import { startCluster, TOKEN } from '../../support/cluster/start-cluster';
import {
  clusterDocuments,
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

const BOUND = 'pve-reconciler/proxmox';

describeKubernetes('a cluster of Kubernetes that leads to another Proxmox', () => {
  let lab: KubernetesLab;
  let other: Simulator;
  const somebody = new ActsOnce();
  beforeAll(async () => {
    lab = await kubernetesLab({ before: somebody.asked });
    lab.applyCluster();
    other = await startCluster({ taskMs: 5, world: { ...defaultWorld(3), authority: 'AA:BB:CC' } });
  });
  afterEach(async () => {
    await lab.stopAll();
    lab.applyCluster();
  });
  afterAll(async () => {
    await other?.close();
    await lab?.close();
  });

  const running = (name: string) =>
    lab.untilIs(
      'machines',
      name,
      ({ metadata, status }) =>
        status?.phase === 'Running' && status.observedGeneration === metadata.generation,
    );
  const refused = (name: string) =>
    lab.untilIs('machines', name, seen => conditionOf(seen)?.status === 'False');
  const leadTo = (proxmox: { url: string; ca: string }): void =>
    void lab.apply(...clusterDocuments(proxmox, TOKEN.secret, 'lab'));
  const inOther = (name: string) =>
    Object.values(other.world.guests).filter(({ config }) => config['name'] === name);
  const writesToOther = (): string[] =>
    other.ledger
      .entries()
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path}`);
  const unbind = (name: string) =>
    lab.kubernetes.done(['annotate', 'machine', name, '-n', 'team-a', `${BOUND}-`]);
  const boundTo = async (name: string): Promise<string | undefined> =>
    (await lab.get('machines', name))?.metadata.annotations?.[BOUND];

  test('a machine is not made a second time there, not changed, not destroyed; pointed back, all goes on', async () => {
    lab.start();
    lab.apply(machine('web'), machine('leaves'));
    await Promise.all([running('web'), running('leaves')]);
    const first = await boundTo('web');
    expect(first).toMatch(/^simulated [0-9A-F:]{95}$/);
    leadTo(other);
    const web = await refused('web');
    expect(conditionOf(web)).toMatchObject({ reason: 'OtherProxmox' });
    expect(conditionOf(web)?.message).toContain(first?.split(' ')[1]);
    expect(conditionOf(web)?.message).toContain('AA:BB:CC');
    lab.remove('leaves');
    const leaves = await lab.untilIs(
      'machines',
      'leaves',
      seen => conditionOf(seen)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(leaves)?.message).toContain('AA:BB:CC');
    await new Promise(resolve => setTimeout(resolve, 1_500));
    expect(writesToOther()).toEqual([]);
    expect([lab.guests('web'), lab.guests('leaves')].map(({ length }) => length)).toEqual([1, 1]);
    lab.applyCluster();
    await running('web');
    await lab.untilGone('machines', 'leaves');
    expect([lab.guests('web'), lab.guests('leaves')].map(({ length }) => length)).toEqual([1, 0]);
  });

  test('after a restart too; without the annotation it is meant: the machine is made there, and is one of that', async () => {
    lab.start();
    lab.apply(machine('moves'));
    await running('moves');
    await lab.stopAll();
    leadTo(other);
    lab.start();
    await refused('moves');
    expect(inOther('moves')).toEqual([]);
    unbind('moves');
    await lab.untilReady('moves');
    expect(await boundTo('moves')).toBe('simulated AA:BB:CC');
    lab.remove('moves');
    await lab.untilGone('machines', 'moves');
    expect(inOther('moves')).toEqual([]);
    expect(lab.guests('moves')).toHaveLength(1);
  });

  test('one that is deleted there, and that nothing binds: what is not found there is not taken for gone', async () => {
    lab.start();
    lab.apply(machine('unbound'));
    await running('unbound');
    await lab.stopAll();
    unbind('unbound');
    lab.remove('unbound');
    leadTo(other);
    lab.start();
    const seen = await lab.untilIs(
      'machines',
      'unbound',
      each => conditionOf(each)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(seen)?.message).toContain('nothing says which Proxmox');
    expect(lab.guests('unbound')).toHaveLength(1);
    lab.applyCluster();
    await lab.untilGone('machines', 'unbound');
    expect(lab.guests('unbound')).toEqual([]);
  });

  test('one that was bound before there was this rule is bound where it is', async () => {
    lab.start();
    lab.apply(machine('old'));
    await running('old');
    await lab.stopAll();
    unbind('old');
    const daemon = lab.start();
    await lab.untilTrue(() =>
      lab.kubernetes.requests().some(({ line }) => line === 'patch machines team-a/old'),
    );
    await lab.untilIs('machines', 'old', ({ metadata }) => metadata.annotations?.[BOUND] !== undefined);
    expect(lab.guests('old')).toHaveLength(1);
    const orphans = daemon.said('Orphan: nothing asks for it any more');
    expect(orphans.filter(line => line['machine'] === 'old')).toEqual([]);
  });

  test('another address of the same Proxmox is no other Proxmox', async () => {
    lab.start();
    lab.apply(machine('stays'));
    await running('stays');
    const way = await wayTo(lab.simulator.url);
    try {
      leadTo({ url: way.url, ca: lab.simulator.ca });
      lab.apply(machine('stays', { description: 'by another way' }));
      await running('stays');
      expect(lab.guests('stays')[0]?.config['description']).toContain('by another way');
    } finally {
      await lab.stopAll();
      await way.close();
    }
  });

  test.each([
    ['the stop', /^GET \/nodes\/pve1\/qemu\/\d+\/snapshot/],
    ['the DELETE', /^POST \/nodes\/pve1\/qemu\/\d+\/status\/stop/],
  ])('the address leads elsewhere directly before %s: nothing is destroyed', async (what, at) => {
    const name = what.replace('the ', '').toLowerCase();
    lab.start();
    lab.apply(machine(name));
    await running(name);
    const { authority } = lab.simulator.world;
    somebody.before(at, () => {
      lab.simulator.world.authority = 'DD:EE:FF';
      return Promise.resolve();
    });
    lab.remove(name);
    const seen = await lab.untilIs('machines', name, each => conditionOf(each)?.reason === 'DeletionRefused');
    expect(conditionOf(seen)?.message).toContain('DD:EE:FF');
    expect(lab.guests(name)).toHaveLength(1);
    if (authority === undefined) delete lab.simulator.world.authority;
    await lab.untilGone('machines', name);
  });

  test('the address leads elsewhere directly before a machine is made: it is not made there', async () => {
    lab.start();
    lab.apply(machine('first'));
    await running('first');
    lab.simulator.ledger.reset();
    somebody.before(/^GET \/nodes\/pve1\/network$/, () => {
      lab.simulator.world.authority = 'DD:EE:FF';
      return Promise.resolve();
    });
    lab.apply(machine('unmade', { disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }] }));
    const seen = await refused('unmade');
    expect(conditionOf(seen)?.message).toContain('DD:EE:FF');
    expect(lab.writes()).toEqual([]);
    delete lab.simulator.world.authority;
    await running('unmade');
    expect(lab.guests('unmade')).toHaveLength(1);
  });
});

/** Another address of the same server. */
async function wayTo(url: string): Promise<{ url: string; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(inner => {
    const outer = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [inner, outer]) sockets.add(socket.on('error', () => socket.destroy()));
    inner.pipe(outer).pipe(inner);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
