import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDescription, writeDescription } from '../../../reconciler/mark/description';
import { ActsOnce } from '../../support/cluster/acts-once';
import { TOKEN } from '../../support/cluster/start-cluster';
import { startDaemon, until } from '../../support/daemon/daemon-lab';
import {
  clusterDocuments,
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

describeKubernetes('two Kubernetes that keep machines of one owner', () => {
  let one: KubernetesLab;
  let two: KubernetesLab;
  const somebody = new ActsOnce();
  const labs = (): KubernetesLab[] => [one, two];
  beforeAll(async () => {
    one = await kubernetesLab({ before: somebody.asked });
    two = await kubernetesLab({}, one.simulator);
    for (const lab of labs()) lab.applyCluster();
  });
  afterEach(() => Promise.all(labs().map(lab => lab.stopAll())));
  afterAll(async () => {
    await two?.close();
    await one?.close();
  });

  const sourceOf = (lab: KubernetesLab): string =>
    `kubernetes:${lab.kubernetes.done(['get', 'namespace', 'kube-system', '-o', 'jsonpath={.metadata.uid}'])}`;
  const refused = (lab: KubernetesLab, name: string, reason?: string) =>
    lab.untilIs('machines', name, seen => {
      const { status, reason: is } = conditionOf(seen) ?? {};
      return status === 'False' && (reason === undefined || reason === is);
    });
  const markOf = (name: string) => readDescription(one.guests(name)[0]?.config['description'] ?? '').mark;
  const write = (name: string, source: string | undefined): void => {
    const [guest] = one.guests(name);
    const { text, mark } = readDescription(guest?.config['description'] ?? '');
    if (guest === undefined || mark === undefined) throw new Error('there is no guest of ours');
    guest.config['description'] = writeDescription(text, { ...mark, source });
  };
  const pause = (): Promise<unknown> => new Promise(resolve => setTimeout(resolve, 1_500));

  test('both at work at once: the guest is of one of them, and the other one touches nothing of it', async () => {
    for (const lab of labs()) lab.start();
    for (const lab of labs()) lab.apply(machine('web'));
    const mark = await until(
      () => markOf('web'),
      seen => seen?.source !== undefined,
    );
    expect(labs().map(sourceOf)).toContain(mark?.source);
    const [first, second] = mark?.source === sourceOf(one) ? [one, two] : [two, one];
    await first.untilReady('web');
    const seen = await refused(second, 'web');
    expect(conditionOf(seen)?.message).toContain(sourceOf(first));
    expect(conditionOf(seen)?.message).toContain(sourceOf(second));
    expect(conditionOf(seen)?.message).toContain(`--source '${sourceOf(first)}'`);
    one.simulator.ledger.reset();
    second.merge('web', { spec: { description: 'of the other one', powerState: 'Off' } });
    await second.untilIs('machines', 'web', each => each.status?.observedGeneration === 2);
    second.remove('web');
    const stays = await refused(second, 'web', 'DeletionRefused');
    expect(conditionOf(stays)?.message).toContain(sourceOf(first));
    expect(conditionOf(stays)?.message).toContain('set its deletionPolicy to Retain');
    await pause();
    expect(one.writes()).toEqual([]);
    second.merge('web', { spec: { deletionPolicy: 'Retain' } });
    await second.untilGone('machines', 'web');
    expect(one.writes()).toEqual([]);
    expect(markOf('web')?.source).toBe(sourceOf(first));
    first.merge('web', { spec: { description: 'mine' } });
    await first.untilIs('machines', 'web', each => each.status?.observedGeneration === 2);
    first.remove('web');
    await first.untilGone('machines', 'web');
    expect(one.guests('web')).toEqual([]);
  });

  test('until a person says so: by --source the guest is taken over, and may be destroyed', async () => {
    one.start();
    one.apply(machine('handed'));
    await one.untilReady('handed');
    await one.stopAll();
    const beside = two.start();
    await until(
      () => beside.said('Orphan: nothing asks for it any more').filter(line => line['machine'] === 'handed'),
      lines => lines.some(line => String(line['remedy']).startsWith('Another Kubernetes holds it')),
    );
    await two.stopAll();
    two.start({ source: sourceOf(one) });
    two.apply(machine('handed', { description: 'now here' }));
    await two.untilReady('handed');
    expect(one.guests('handed')[0]?.config['description']).toContain('now here');
    two.remove('handed');
    await two.untilGone('machines', 'handed');
    expect(one.guests('handed')).toEqual([]);
  });

  test('documents that came from files are taken over without a step; then files take nothing back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'documents-'));
    const documents = [...clusterDocuments(one.simulator, TOKEN.secret, 'lab'), machine('filed')];
    writeFileSync(
      join(folder, 'all.json'),
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents }),
    );
    const files = startDaemon({ manifests: [folder] }, { PVE_TASK_POLL_INTERVAL: '10ms' });
    try {
      await until(
        () => markOf('filed')?.source,
        seen => seen !== undefined,
      );
      await until(
        () => one.guests('filed')[0]?.running,
        seen => seen !== null,
      );
      const vmid = one.guests('filed')[0]?.vmid;
      one.start();
      one.apply(machine('filed'));
      const { status } = await one.untilReady('filed');
      expect(status?.vmid).toBe(vmid);
      expect(markOf('filed')?.source).toBe(sourceOf(one));
      documents.splice(-1, 1, machine('filed', { description: 'of a file' }));
      writeFileSync(
        join(folder, 'all.json'),
        JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents }),
      );
      // kubectl holds up all that runs in this process: asked once
      const source = sourceOf(one);
      await until(
        () => files.lines.filter(line => JSON.stringify(line).includes(source)),
        lines => lines.some(line => line['machine'] === 'filed'),
      );
      expect(one.guests('filed')[0]?.config['description']).not.toContain('of a file');
    } finally {
      await files.stop();
      rmSync(folder, { recursive: true });
    }
  });

  test.each<[what: string, name: string, at: RegExp]>([
    ['the stop', 'early', /^GET \/nodes\/pve1\/qemu\/\d+\/snapshot/],
    ['the DELETE', 'late', /^POST \/nodes\/pve1\/qemu\/\d+\/status\/stop/],
  ])('one that the other one takes over directly before %s is not destroyed', async (_, name, at) => {
    two.start();
    two.apply(machine(name));
    await two.untilReady(name);
    write(name, undefined);
    two.remove(name);
    somebody.before(at, () => Promise.resolve(write(name, sourceOf(one))));
    await one.untilTrue(() => somebody.hasActed());
    const stays = await refused(two, name, 'DeletionRefused');
    expect(conditionOf(stays)?.message).toContain(sourceOf(one));
    await pause();
    expect(one.guests(name)).toHaveLength(1);
    write(name, undefined);
    await two.untilGone('machines', name);
  });

  test('nor is its mark taken off, where the other one takes it over directly before', async () => {
    two.start();
    two.apply(machine('kept', { deletionPolicy: 'Retain' }));
    await two.untilReady('kept');
    somebody.before(/^GET \/nodes\/pve1\/certificates/, () => Promise.resolve(write('kept', sourceOf(one))));
    two.remove('kept');
    await two.untilGone('machines', 'kept');
    expect(markOf('kept')?.source).toBe(sourceOf(one));
  });

  test('a guest that was made under another --owner is not taken for gone; one that is a stranger is', async () => {
    one.start({ owner: 'first' });
    one.apply(machine('renamed'), machine('let'), machine('foreign'));
    for (const name of ['renamed', 'let', 'foreign']) await one.untilReady(name);
    await one.stopAll();
    write('foreign', 'kubernetes:other');
    two.start({ owner: 'second' });
    two.apply(machine('foreign'));
    await refused(two, 'foreign');
    two.remove('foreign');
    await two.untilGone('machines', 'foreign');
    one.start({ owner: 'second' });
    const seen = await refused(one, 'renamed');
    expect(conditionOf(seen)?.message).toContain('is taken');
    one.merge('let', { spec: { deletionPolicy: 'Retain' } });
    one.remove('let');
    await one.untilGone('machines', 'let');
    one.remove('renamed');
    const stays = await refused(one, 'renamed', 'DeletionRefused');
    expect(conditionOf(stays)?.message).toContain('of owner "first/lab/team-a"');
    expect(['renamed', 'let', 'foreign'].map(name => one.guests(name).length)).toEqual([1, 1, 1]);
    expect(markOf('let')?.owner).toBe('first/lab/team-a');
    await one.stopAll();
    one.start({ owner: 'first' });
    await one.untilGone('machines', 'renamed');
    expect(one.guests('renamed')).toEqual([]);
  });
});
