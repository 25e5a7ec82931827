import { readFileSync } from 'node:fs';
import path from 'node:path';
import { kubernetesLab, machine, type KubernetesLab } from '../../support/kubernetes/kubernetes-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
import { until } from '../../support/daemon/daemon-lab';
import { start } from '../../support/processes/cli';

describeKubernetes('the page about Kubernetes, as a person follows it', () => {
  let lab: KubernetesLab;
  beforeAll(async () => {
    lab = await kubernetesLab();
  });
  afterAll(() => lab?.close());

  test('from apply to delete, with the program as it is built', async () => {
    const program = start(['run', '--kubernetes', '--namespace', 'team-a'], {
      KUBECONFIG: lab.kubernetes.configOf('daemon'),
      RECONCILE_INTERVAL: '1s',
      PVE_LAB_CA_BUNDLE: lab.simulator.ca,
      ...{ METRICS_BIND_ADDRESS: '0', HEALTH_PROBE_BIND_ADDRESS: '0', STATUS_BIND_ADDRESS: '0' },
    });
    try {
      const page = readFileSync(path.join(__dirname, '../../../docs/kubernetes.md'), 'utf8');
      const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
      lab.apply(
        text
          .replace('00000000-0000-0000-0000-000000000000', TOKEN.secret)
          .replace('https://pve.example.com:8006', lab.simulator.url)
          .replace('ops@pve', 'root@pam')
          .replace('tokenID: daemon', 'tokenID: full'),
      );
      const { status } = await lab.untilReady('web');
      expect(status?.phase).toBe('Running');
      const described = lab.kubernetes.done(['describe', 'machine', 'web', '-n', 'team-a']);
      expect(described).toMatch(/Normal +Created .*pve-reconciler +VM \d+ on pve\d/);
      lab.kubernetes.done(['wait', '--for=condition=Ready', 'machine/web', '-n', 'team-a', '--timeout=10s']);
      // kubectl that waits would hold up the simulator in this process
      lab.remove('web');
      await lab.untilGone('machines', 'web');
      expect(lab.guests('web')).toEqual([]);
    } finally {
      program.child.kill('SIGTERM');
    }
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  test('the program is stopped for a while and wakes up: it says that the lease is lost, and takes it again', async () => {
    const program = start(['run', '--kubernetes', '--namespace', 'team-a', '--lease', 'kubernetes'], {
      KUBECONFIG: lab.kubernetes.configOfPod(),
      RECONCILE_INTERVAL: '200ms',
      ...{ METRICS_BIND_ADDRESS: '0', HEALTH_PROBE_BIND_ADDRESS: '0', STATUS_BIND_ADDRESS: '0' },
    });
    try {
      lab.applyCluster();
      lab.apply(machine('asleep'));
      await lab.untilReady('asleep');
      // when it wakes up it has an event and a status to write
      lab.merge('asleep', { spec: { memory: '2Gi' } });
      program.child.kill('SIGSTOP');
      // without another holder its next renewal may be answered before it has something to write
      const other = '{"spec":{"holderIdentity":"other"}}';
      const lease = ['lease', 'pve-reconciler', '-n', 'pve-reconciler'];
      lab.kubernetes.done(['patch', ...lease, '--type=merge', '-p', other]);
      await new Promise(resolve => setTimeout(resolve, 8_000));
      program.child.kill('SIGCONT');
      await program.said('Lost the lease');
      await until(
        () => program.stderr().split('Holds the lease').length,
        parts => parts > 2,
      );
    } finally {
      program.child.kill('SIGTERM');
    }
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  test.each<[words: string[], env: Record<string, string>, says: string]>([
    [['--kubernetes'], {}, 'KUBECONFIG is not set, and this is no pod of Kubernetes'],
    [['--kubernetes', '--prune'], {}, '--prune has no meaning with --kubernetes'],
    [['--kubernetes', '--manifests', '.'], {}, '--kubernetes reads resources, and no files'],
    [['--namespace', 'a', '--manifests', '.'], {}, '--namespace means something with --kubernetes only'],
    [['--kubernetes'], { KUBECONFIG: '/no/such/file' }, '/no/such/file'],
  ])('run %j with %j is refused', async (words, env, says) => {
    const { code, stderr } = await start(['run', ...words], env).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as string });
  });
});
