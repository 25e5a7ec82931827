import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { version } from '../../../package.json';
import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { chart, lint, podOf, rendered, VALUES, type Document } from '../../support/kubernetes/chart';
import { allowed } from '../../support/kubernetes/role-without';
import { noHelm } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const root = path.join(__dirname, '..', '..', '..');
const read = (...names: string[]): string => readFileSync(path.join(root, ...names), 'utf8');
const linesOf = (documents: readonly Document[]): string[] =>
  documents
    .filter(({ kind }) => kind !== 'CustomResourceDefinition')
    .map(({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ?? '-'}/${name}`)
    .sort();
const rightsOf = (documents: readonly Document[], suffix: string): string[] =>
  allowed(
    documents
      .filter(({ kind, metadata: { name } }) => kind.endsWith('Role') && name === `pve-reconciler${suffix}`)
      .flatMap(({ rules = [] }) => rules),
  );

const why = noHelm();
if (why !== undefined) skipped('the chart', why);
else {
  const names = Object.keys(VALUES) as (keyof typeof VALUES)[];
  test.each(names)('helm lint finds nothing: %s', name => {
    expect(lint(VALUES[name])).toMatchObject({
      ok: true,
      stdout: expect.not.stringContaining('[WARNING]') as string,
    });
  });

  test('what is in it, and what values add and take away', () => {
    const least = linesOf(rendered(VALUES.least));
    expect(least).toEqual([
      ...['', '-definitions', '-secrets'].map(suffix => `ClusterRole -/pve-reconciler${suffix}`),
      ...['', '-definitions'].map(suffix => `ClusterRoleBinding -/pve-reconciler${suffix}`),
      ...['Deployment', 'NetworkPolicy'].map(kind => `${kind} pve-reconciler/pve-reconciler`),
      ...['Role', 'RoleBinding'].map(kind => `${kind} pve-reconciler/pve-reconciler-lease`),
      ...['Service', 'ServiceAccount'].map(kind => `${kind} pve-reconciler/pve-reconciler`),
    ]);
    const [alone, all] = [linesOf(rendered(VALUES.alone)), linesOf(rendered(VALUES.all))];
    expect(least.filter(line => !alone.includes(line))).toEqual([
      ...['ClusterRoleBinding -/pve-reconciler', 'NetworkPolicy pve-reconciler/pve-reconciler'],
      ...['Role', 'RoleBinding'].map(kind => `${kind} pve-reconciler/pve-reconciler-lease`),
    ]);
    expect(alone.filter(line => !least.includes(line))).toEqual(['RoleBinding team-a/pve-reconciler']);
    expect(least.filter(line => !all.includes(line))).toEqual([]);
    expect(all.filter(line => !least.includes(line))).toEqual([
      'ConfigMap pve-reconciler/pve-reconciler-ca',
      'PrometheusRule pve-reconciler/pve-reconciler',
      ...['default', 'team-a'].map(space => `RoleBinding ${space}/pve-reconciler-secrets`),
      'ServiceMonitor pve-reconciler/pve-reconciler',
    ]);
  });

  test('each definition is there, and kept; a value leaves all out', () => {
    const kinds = rendered(VALUES.least).filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(kinds).toHaveLength(RESOURCE_KINDS.length);
    const kept = kinds.filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy'] === 'keep');
    expect(kept).toHaveLength(kinds.length);
    expect(rendered(VALUES.alone).map(({ kind }) => kind)).not.toContain('CustomResourceDefinition');
  });

  test('its roles allow what kubernetes/rbac.yaml allows, and nothing else', () => {
    const file = parseAllDocuments(read('kubernetes', 'rbac.yaml')).map(each => each.toJS() as Document);
    const documents = rendered(VALUES.least);
    const daemon = [...rightsOf(documents, ''), ...rightsOf(documents, '-definitions')].sort();
    expect(daemon).toEqual(rightsOf(file, ''));
    for (const suffix of ['-secrets', '-lease'])
      expect(rightsOf(documents, suffix)).toEqual(rightsOf(file, suffix));
    expect(daemon.length).toBeGreaterThan(40);
  });

  test('its alerts are those of monitoring/, and its version is that of the package', () => {
    const rule = rendered(VALUES.all).find(({ kind }) => kind === 'PrometheusRule');
    expect(rule?.spec).toEqual(parse(read('monitoring', 'alerts.yaml')));
    expect(parse(read('kubernetes', 'chart', 'Chart.yaml'))).toMatchObject({ version, appVersion: version });
  });

  test('the pod is locked in, and starts what the image has', () => {
    const { containers, ...pod } = podOf(rendered(VALUES.least));
    const [container] = containers;
    const file = read('containers', 'reconciler', 'Containerfile');
    const [, user] = /^USER (\d+):\1$/m.exec(file) ?? [];
    expect(pod).toMatchObject({
      enableServiceLinks: false,
      securityContext: {
        ...{ runAsNonRoot: true, runAsUser: Number(user), runAsGroup: Number(user) },
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(file).toMatch(
      /^ENTRYPOINT \["\/usr\/local\/bin\/node", "\/opt\/pve-reconciler\/dist\/reconciler.cjs"\]$/m,
    );
    expect(container).not.toHaveProperty('command');
    expect(container).toMatchObject({
      image: `registry.example.com/pve-reconciler:${version}`,
      args: ['run', '--kubernetes', '--lease=kubernetes', '--lease-name=pve-reconciler'],
      securityContext: {
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      },
      resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '200m', memory: '256Mi' } },
    });
  });

  test('one replica has no lease; values become words of the daemon', () => {
    expect(podOf(rendered(VALUES.alone)).containers[0].args).toEqual([
      'run',
      '--kubernetes',
      '--namespace=team-a',
    ]);
    const { args, env } = podOf(rendered(VALUES.all)).containers[0];
    expect(args.slice(2, 5)).toEqual(['--cluster-namespace=team-a', '--owner=fleet', '--source=prod']);
    expect(Object.fromEntries(env.map(({ name, value }) => [name, value]))).toEqual({
      ...{ LOG_LEVEL: 'debug', METRICS_BIND_ADDRESS: ':8080', HEALTH_PROBE_BIND_ADDRESS: ':8081' },
      ...{ MAX_CONCURRENT_RECONCILES: '10', RECONCILE_INTERVAL: '1m' },
      NODE_EXTRA_CA_CERTS: '/etc/pve-reconciler/ca.pem',
    });
  });

  const openPorts = (values: object): string[] => {
    const policy = rendered(values).find(({ kind }) => kind === 'NetworkPolicy');
    const { egress } = policy?.spec as { egress: { ports: { port: number; protocol?: string }[] }[] };
    return egress.flatMap(({ ports }) => ports.map(({ port, protocol = 'TCP' }) => `${protocol} ${port}`));
  };
  test('the network policy opens DNS, the API server and Proxmox, each port once', () => {
    expect(openPorts(VALUES.least)).toEqual(['UDP 53', 'TCP 53', 'TCP 443', 'TCP 6443', 'TCP 8006']);
    expect(openPorts(VALUES.all)).toEqual([
      ...['UDP 53', 'UDP 5353', 'TCP 53', 'TCP 5353'],
      ...['TCP 443', 'TCP 16443', 'TCP 8006'],
    ]);
  });

  test.each<[what: string, values: object, says: string]>([
    ['an unknown value', { replicas: 2 }, 'replicas'],
    ['an unknown value of the image', { image: { name: 'x' } }, 'name'],
    ['no image', { image: { repository: '' } }, 'image.repository is not set'],
    ['a number as text', { replicaCount: '2' }, 'replicaCount'],
    ['a log level that is none', { logLevel: 'verbose' }, 'logLevel'],
    ['two namespaces', { namespace: 'team-a', clusterNamespace: 'shared' }, 'clusterNamespace'],
    ['a namespace that is no name', { secretsIn: ['*'] }, 'secretsIn'],
    ['no port of DNS', { networkPolicy: { dnsPorts: [] } }, 'dnsPorts'],
    ['a port that is none', { networkPolicy: { apiServerPorts: [70_000] } }, 'apiServerPorts'],
    ['a variable that the chart sets', { env: { KUBECONFIG: '/x' } }, 'KUBECONFIG'],
    ['a bundle that is none', { caBundle: '/etc/ssl/ca.pem' }, 'caBundle'],
  ])('is refused: %s', (_, values, says) => {
    const { ok, stderr } = chart('template', { ...VALUES.least, ...values });
    expect({ ok, stderr }).toEqual({ ok: false, stderr: expect.stringContaining(says) as string });
  });
}
