import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
import { startKubernetes, type Kubernetes } from '../../support/kubernetes/start-kubernetes';
import { noKubernetes, PROGRAMS } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const hasJq = spawnSync('jq', ['--version']).status === 0;
const why = noKubernetes() ?? (hasJq ? undefined : 'there is no jq on PATH');
const page = readFileSync(path.join(__dirname, '../../../docs/from-operators.md'), 'utf8');

if (why !== undefined) skipped('the documents of an operator are saved', why);
else {
  let kubernetes: Kubernetes;
  beforeAll(async () => {
    kubernetes = await startKubernetes();
  });
  afterAll(() => kubernetes?.close());

  const define = (): void => {
    kubernetes.done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
    kubernetes.done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  };
  const document = (kind: string, name: string, spec: object) => ({
    ...{ apiVersion: 'infra.virtrigaud.io/v1beta1', kind, spec },
    metadata: {
      ...{ name, namespace: 'default', finalizers: ['infra.virtrigaud.io/its'] },
      annotations: { 'virtrigaud.io/orphan-on-delete': 'true' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'set', uid: 'gone' }],
    },
  });
  const DOCUMENTS = [
    document('Provider', 'lab', { type: 'proxmox', endpoint: 'https://pve.example.com:8006' }),
    document('VMClass', 'small', { cpus: 2, memory: '2Gi' }),
    document('VirtualMachine', 'web', { providerRef: { name: 'lab' }, classRef: { name: 'small' } }),
    document('VMSnapshot', 'before', { vmRef: { name: 'web' } }),
    document('VMClone', 'copied', { sourceVMRef: { name: 'web' } }),
  ];

  test('step 2 of the page: all of them, as they can be applied when the definitions were replaced', () => {
    define();
    for (const each of DOCUMENTS) kubernetes.done(['apply', '-f', '-'], JSON.stringify(each));
    const [, lines = ''] = /```sh\n( +KINDS=[^`]*)```/.exec(page) ?? [];
    const bin = mkdtempSync(path.join(kubernetes.folder, 'bin-'));
    symlinkSync(PROGRAMS.kubectl, path.join(bin, 'kubectl'));
    const env = {
      ...process.env,
      PATH: `${bin}:${process.env['PATH']}`,
      KUBECONFIG: kubernetes.configOf('admin'),
    };
    const shell = spawnSync('bash', ['-euo', 'pipefail', '-c', lines], { cwd: bin, env, encoding: 'utf8' });
    expect(shell).toMatchObject({ status: 0 });
    const saved = readFileSync(path.join(bin, 'machines.json'), 'utf8');
    const { items } = JSON.parse(saved) as { items: { kind: string; metadata: object }[] };
    expect(items.map(({ kind }) => kind).sort()).toEqual([
      ...['Provider', 'VMClass', 'VMSnapshot', 'VirtualMachine'],
    ]);
    for (const each of items) {
      expect(Object.keys(each).sort()).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
      expect(each.metadata).toMatchObject({ annotations: expect.anything() as unknown });
      for (const key of ['finalizers', 'ownerReferences', 'uid', 'resourceVersion', 'managedFields'])
        expect(each.metadata).not.toHaveProperty(key);
    }
    // one that has a finalizer would hold its definition
    kubernetes.done(['delete', 'crd', '--all', '--timeout=60s']);
    define();
    expect(kubernetes.done(['apply', '-f', '-'], saved)).toContain(
      'virtualmachine.infra.virtrigaud.io/web created',
    );
  });
}
