import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readDescription, writeDescription } from '../../../reconciler/mark/description';
import {
  conditionOf,
  kubernetesLab,
  machine,
  type KubernetesLab,
} from '../../support/kubernetes/kubernetes-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { until, type RunningDaemon } from '../../support/daemon/daemon-lab';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';

const folder = path.join(__dirname, '../../reconciler/manifests/documents');

describeKubernetes('the documents of the requirements in Kubernetes', () => {
  let lab: KubernetesLab;
  let daemon: RunningDaemon;
  beforeAll(async () => {
    lab = await kubernetesLab();
    lab.bindSecrets('default');
    lab.space('line-2');
    const ca = lab.simulator.ca;
    // only what no document says: whom to trust, and which cluster is meant where none is named
    daemon = lab.start(
      { clusterNamespace: 'default' },
      {
        ...{ PVE_FACTORY_CA_BUNDLE: ca, PVE_HARBOUR_CA_BUNDLE: ca, PVE_LAB_CA_BUNDLE: ca },
        PROXMOX_DEFAULT_CLUSTER: 'harbour',
      },
    );
  });
  afterAll(() => lab?.close());

  const placed = (text: string): string =>
    text
      .replaceAll('ENDPOINT', lab.simulator.url)
      .replaceAll('TOKEN_ID', TOKEN.id)
      .replaceAll('TOKEN_SECRET', TOKEN.secret);

  test('each document, as it stands, reaches what it promises; then nothing is written', async () => {
    for (const file of readdirSync(folder, { recursive: true }).map(String)) {
      if (!file.endsWith('.yaml') || file.startsWith('copies')) continue;
      lab.apply(placed(readFileSync(path.join(folder, file), 'utf8')));
    }
    const rows: [plural: string, name: string, namespace: string, phase: string][] = [
      ['machines', 'press-control', 'line-2', 'Running'],
      ['proxmoxvirtualmachines', 'gauge', 'line-2', 'Running'],
      ['virtualmachines', 'customs', 'default', 'Running'],
      ['virtualmachines', 'tide', 'default', 'Stopped'],
      ['vmclones', 'tide-copy', 'default', 'Running'],
    ];
    for (const [plural, name, namespace, phase] of rows) {
      const seen = await lab.untilIs(plural, name, each => conditionOf(each)?.status === 'True', namespace);
      expect(seen.status?.phase).toBe(phase);
    }
    await lab.untilIs('proxmoxclusters', 'factory', each => conditionOf(each)?.status === 'True', 'default');
    await lab.untilIs('proxmoxnodes', 'first', each => conditionOf(each)?.status === 'True', 'default');
    await lab.untilIs('providers', 'harbour', each => conditionOf(each)?.status === 'True', 'default');
    const node = await lab.get('proxmoxnodes', 'first', 'default');
    expect(node?.status).toMatchObject({
      ready: true,
      resources: { cpu: { total: expect.any(Number) as number } },
    });
    const rounds = () =>
      daemon.metrics().then(text => Number(/count\{controller="cluster"\} (\d+)/.exec(text)?.[1]));
    const settle = async (more: number): Promise<void> => {
      const from = await rounds();
      await until(rounds, seen => seen > from + more);
    };
    await settle(4);
    lab.simulator.ledger.reset();
    const before = lab.kubernetes.requests().length;
    await settle(8);
    expect(lab.writes()).toEqual([]);
    expect(lab.kubernetes.requests().slice(before)).toEqual([]);
  });

  test('a snapshot is taken, and stays when its resource goes', async () => {
    lab.apply({
      ...{
        apiVersion: 'infra.virtrigaud.io/v1beta1',
        kind: 'VMSnapshot',
        metadata: { name: 'before', namespace: 'default' },
      },
      spec: { vmRef: { name: 'customs' } },
    });
    await lab.untilIs('vmsnapshots', 'before', each => conditionOf(each)?.reason === 'Taken', 'default');
    lab.kubernetes.done(['delete', 'vmsnapshot', 'before', '-n', 'default']);
    const [guest] = lab.guests('customs');
    await new Promise(resolve => setTimeout(resolve, 1_000));
    expect(Object.keys(guest?.snapshots ?? {})).toContain('before');
  });

  test('a namespace that is being deleted: its machines are destroyed, and nothing of them is left in it', async () => {
    lab.kubernetes.done(['delete', 'namespace', 'line-2', '--wait=false']);
    // as the controller of namespaces does, which is not part of an API server
    lab.kubernetes.done(['delete', 'machines,pvm', '--all', '-n', 'line-2', '--wait=false']);
    await lab.untilGone('machines', 'press-control', 'line-2');
    await lab.untilGone('proxmoxvirtualmachines', 'gauge', 'line-2');
    expect([...lab.guests('press-control-2'), ...lab.guests('gauge')]).toEqual([]);
  });

  test('what a Terraform state holds stays, and says so; let go, it keeps its mark', async () => {
    lab.applyCluster();
    lab.apply(machine('held'));
    await lab.untilReady('held');
    const [guest] = lab.guests('held');
    const { text, mark } = readDescription(guest?.config['description'] ?? '');
    if (guest === undefined || mark === undefined) throw new Error('there is no guest of ours');
    guest.config['description'] = writeDescription(text, { ...mark, entry: 'an-entry' });
    lab.remove('held');
    const held = await lab.untilIs(
      'machines',
      'held',
      seen => conditionOf(seen)?.reason === 'DeletionRefused',
    );
    expect(conditionOf(held)?.message).toContain('Terraform');
    expect(lab.guests('held')).toHaveLength(1);
    const retain = '{"spec":{"deletionPolicy":"Retain"}}';
    lab.kubernetes.done(['patch', 'machine', 'held', '-n', 'team-a', '--type=merge', '-p', retain]);
    await lab.untilGone('machines', 'held');
    expect(lab.guests('held')[0]?.config['description']).toContain('<!-- pvr:');
  });
});
