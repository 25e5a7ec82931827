import { readFileSync } from 'node:fs';
import path from 'node:path';
import { kubernetesLab, type KubernetesLab } from '../../support/kubernetes/kubernetes-lab';
import { TOKEN } from '../../support/cluster/start-cluster';
import { describeKubernetes } from '../../support/kubernetes/describe-kubernetes';
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
      PVE_CA_BUNDLE: lab.simulator.ca,
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
