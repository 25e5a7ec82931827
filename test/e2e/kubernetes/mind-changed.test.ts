import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { ActsOnce } from '../../support/cluster/acts-once';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('a mind that is changed during a destroy in Kubernetes', () => {
  let lab: KubernetesLab;
  let daemon: ReturnType<KubernetesLab['start']>;
  const other = new ActsOnce();
  beforeAll(async () => {
    lab = await kubernetesLab({ before: other.asked });
    lab.applyCluster();
    daemon = lab.start();
  });
  afterAll(() => lab?.close());

  const RETAIN = { spec: { deletionPolicy: 'Retain' } };
  const FREE = { metadata: { finalizers: null } };
  const SNAPSHOTS = /^GET \/nodes\/pve1\/qemu\/\d+\/snapshot/;
  const STOP = /^POST \/nodes\/pve1\/qemu\/\d+\/status\/stop/;

  test.each<[what: string, name: string, patch: object, at: RegExp]>([
    ['Retain before the stop', 'early', RETAIN, SNAPSHOTS],
    ['Retain before the DELETE', 'late', RETAIN, STOP],
    ['without the finalizer, before the stop', 'freed', FREE, SNAPSHOTS],
  ])('%s: nothing is destroyed', async (_, name, patch, at) => {
    lab.apply(machine(name));
    await lab.untilReady(name);
    lab.remove(name);
    // kubectl holds this process up, and the daemon in it: nothing was asked yet
    other.before(at, () => Promise.resolve(lab.merge(name, patch)));
    await lab.untilTrue(() => other.hasActed());
    await lab.untilGone('machines', name);
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(lab.guests(name)).toHaveLength(1);
  });

  const PAUSE = { metadata: { annotations: { 'pve-reconciler/pause': 'true' } } };

  test.each<[what: string, name: string, patch: object]>([
    ['a pause', 'paused', PAUSE],
    ['mode: observe', 'observed', { spec: { mode: 'observe' } }],
  ])('%s while the destroy waits for a lock: nothing is stopped or destroyed', async (_, name, patch) => {
    lab.apply(machine(name));
    const { status } = await lab.untilReady(name);
    const guest = lab.simulator.world.guests[status!.vmid!]!;
    guest.config['lock'] = 'backup';
    lab.simulator.ledger.reset();
    lab.remove(name);
    const waits = ({ machine: of, message }: { machine?: unknown; message: string }): boolean =>
      of === name && message.includes('locked (backup)');
    await lab.untilTrue(() => daemon.lines.some(waits));
    lab.merge(name, patch);
    const seen = await lab.untilIs('machines', name, each => conditionOf(each)?.reason === 'DeletionRefused');
    expect(conditionOf(seen)?.message).toContain('nothing is written to it');
    delete guest.config['lock'];
    const left = () => daemon.said('Its end is not asked for any more: nothing is destroyed');
    await lab.untilTrue(() => left().some(line => line['machine'] === name) || lab.guests(name).length === 0);
    expect(lab.writes()).toEqual([]);
    expect(lab.guests(name)).toMatchObject([{ running: expect.anything() as unknown }]);
  });
});
