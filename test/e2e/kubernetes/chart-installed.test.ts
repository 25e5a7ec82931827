import { stringify } from 'yaml';
import { until } from '../../support/daemon/daemon-lab';
import { rendered, VALUES } from '../../support/kubernetes/chart';
import { installedChart, type InstalledChart } from '../../support/kubernetes/installed-chart';
import { conditionOf, machine } from '../../support/kubernetes/kubernetes-lab';
import { noLock } from '../../support/kubernetes/locked-pod';
import { withoutVerb } from '../../support/kubernetes/role-without';
import { noHelm, noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const why = noHelm() ?? noKubernetes();
if (why !== undefined) skipped('the chart, installed', why);
else {
  let installed: InstalledChart;
  beforeAll(async () => {
    installed = await installedChart();
    installed.applyCluster();
  });
  afterEach(() => installed?.stopPods());
  afterAll(() => installed?.close());

  const kubectl = (...args: string[]): string => installed.lab.kubernetes.done(args);
  const shortNames = (): string =>
    kubectl('get', 'crd', 'machines.vitistack.io', '-o', 'jsonpath={.spec.names.shortNames}');

  /** Helm goes well; what it said. */
  const well = ({ ok, stdout, stderr }: { ok: boolean; stdout: string; stderr: string }): string => {
    if (!ok) throw new Error(stderr);
    return stdout;
  };

  test('an upgrade brings new definitions, and five lines say what to do next', () => {
    expect(shortNames()).toBe('');
    const said = well(installed.run('upgrade'));
    expect(shortNames()).toBe('["pma"]');
    const [, notes = ''] = said.split('NOTES:\n');
    expect(
      notes
        .trim()
        .split('\n')
        .map(line => line.slice(0, 2)),
    ).toEqual(['1.', '2.', '3.', '4.', '5.']);
    expect(notes).toContain('it may read those of team-a');
  });

  test.each(Object.entries(VALUES))('the server accepts each document: %s', (_, values) => {
    const documents = rendered(values);
    const foreign = documents.filter(({ apiVersion }) => apiVersion.startsWith('monitoring.coreos.com/'));
    const ours = documents.filter(document => !foreign.includes(document));
    const text = ours.map(document => stringify(document)).join('---\n');
    const { ok, stderr } = installed.lab.kubernetes.kubectl(
      ['apply', '--dry-run=server', '--validate=strict', '-f', '-'],
      text,
    );
    expect({ ok, stderr: stderr.replaceAll(/^Warning: resource .*\n/gm, '') }).toEqual({
      ok: true,
      stderr: '',
    });
    expect(foreign.map(({ kind }) => kind)).toEqual(
      values === VALUES.all ? ['PrometheusRule', 'ServiceMonitor'] : [],
    );
  });

  type Pod = Pick<Awaited<ReturnType<InstalledChart['startPod']>>, 'ask'>;
  const lives = async (name: string, start: () => Promise<Pod>): Promise<void> => {
    const { lab } = installed;
    const pod = await start();
    lab.apply(machine(name));
    await lab.untilReady(name);
    expect(await Promise.all([pod.ask('livenessProbe'), pod.ask('readinessProbe')])).toEqual([200, 200]);
    lab.remove(name);
    await lab.untilGone('machines', name);
    expect(lab.guests(name)).toEqual([]);
    const requests = lab.kubernetes.requests();
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.filter(({ code }) => code === 403)).toEqual([]);
  };

  test('with the token of its account alone a machine goes from apply to delete', () =>
    lives('web', () => installed.startPod()));

  const whyNot = noLock();
  if (whyNot !== undefined) skipped('locked in as a pod', whyNot);
  else
    test('locked in as a pod: its user, a root that it cannot write, the files of its account', () =>
      lives('locked', () => installed.startLockedPod()));

  test('with one namespace its role is given there alone, and one replica asks for no lease', async () => {
    const given = { namespace: 'team-a', replicaCount: 1 };
    well(installed.run('upgrade', given));
    expect(kubectl('get', 'rolebinding,role', '-n', 'pve-reconciler', '-o', 'name')).toBe('');
    const mayList = installed.lab.kubernetes.kubectl([
      ...['auth', 'can-i', 'list', 'machines.vitistack.io', '-n', 'default'],
      '--as=system:serviceaccount:pve-reconciler:pve-reconciler',
    ]);
    expect(mayList.stdout.trim()).toBe('no');
    await lives('alone', () => installed.startPod(given));
    well(installed.run('upgrade'));
  });

  const RESOURCES = ['clusterrole', 'pve-reconciler'];
  const WIDE = ['clusterrole', 'pve-reconciler-definitions'];
  const LEASE = ['role', 'pve-reconciler-lease', '-n', 'pve-reconciler'];
  test.each<[resource: string, verb: string, role: string[], says: string]>([
    ['machines', 'patch', RESOURCES, 'the verb patch on machines.vitistack.io'],
    ['vmimages', 'list', RESOURCES, 'verbs get, list and watch on vmimages.infra.virtrigaud.io'],
    ['machines/status', 'update', RESOURCES, 'the verb update on machines/status'],
    ['events', 'create', RESOURCES, 'on events'],
    [
      'secrets',
      'get',
      ['clusterrole', 'pve-reconciler-secrets'],
      'the verb get on secrets in namespace team-a',
    ],
    ['namespaces', 'get', WIDE, 'the role lacks get on the namespace kube-system'],
    ['customresourcedefinitions', 'get', WIDE, 'the role lacks get on this definition'],
    ['leases', 'update', LEASE, 'verbs create, get and update on the Lease pve-reconciler'],
  ])('one verb less is named: %s %s', async (resource, verb, role, says) => {
    const { lab } = installed;
    const name = `less-${resource.replace('/', '-')}-${verb}`;
    lab.kubernetes.kubectl(['delete', 'lease', '-n', 'pve-reconciler', '--all']);
    const giveBack = withoutVerb(lab.kubernetes, role, resource, verb);
    const pod = await installed.startPod(role === LEASE ? {} : { replicaCount: 1 });
    lab.apply(machine(name));
    if (resource === 'customresourcedefinitions') {
      await lab.untilReady(name);
      lab.remove(name);
    }
    const told = async () =>
      [
        pod.stderr(),
        conditionOf(await lab.get('machines', name))?.message,
        conditionOf(await lab.get('proxmoxclusters', 'lab'))?.message,
      ].join('\n');
    try {
      await until(told, seen => seen.includes(says));
    } finally {
      giveBack();
    }
  });

  test('it goes, and definitions and machines stay; it comes again, also over definitions of somebody else', () => {
    const { kubernetes, apply, get } = installed.lab;
    apply(machine('stays'));
    const uninstall = ['uninstall', 'pve-reconciler', '-n', 'pve-reconciler'];
    well(installed.helm(uninstall));
    expect(kubernetes.kubectl(['get', 'deployment', '-n', 'pve-reconciler', '-o', 'name']).stdout).toBe('');
    well(installed.run('install'));
    well(installed.helm(uninstall));
    kubectl('annotate', 'crd', 'machines.vitistack.io', 'meta.helm.sh/release-name-');
    expect(installed.run('install').stderr).toContain('machines.vitistack.io');
    well(installed.run('install', {}, ['--take-ownership']));
    return expect(get('machines', 'stays')).resolves.toMatchObject({ metadata: {} });
  });
}
