import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
import { RESOURCE_KINDS } from '../../../reconciler/kubernetes/kinds';
import { until } from '../../support/daemon/daemon-lab';
import { startKubernetes, type Kubernetes } from '../../support/kubernetes/start-kubernetes';
import { noKubernetes } from '../../support/kubernetes/where';
import { skipped } from '../../support/skipped';

const why = noKubernetes();
if (why !== undefined) skipped('definitions for Kubernetes', why);
else {
  let kubernetes: Kubernetes;
  beforeAll(async () => {
    kubernetes = await startKubernetes();
    kubernetes.done(['apply', '--server-side', '-f', '-'], [...crds().values()].join('---\n'));
    kubernetes.done(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  });
  afterAll(() => kubernetes?.close());

  const tried = (document: object | string, ...flags: string[]) =>
    kubernetes.kubectl(
      ['apply', '--dry-run=server', '-f', '-', ...flags],
      typeof document === 'string' ? document : JSON.stringify(document),
    );

  test('each kind is accepted, structural, and in the category', async () => {
    const listed = kubernetes.done(['get', 'crd', '-o', 'json']);
    const { items } = JSON.parse(listed) as {
      items: { status: { conditions: { type: string; status: string }[] } }[];
    };
    expect(items).toHaveLength(RESOURCE_KINDS.length);
    const faulty = items
      .flatMap(({ status }) => status.conditions)
      .filter(({ type }) => type === 'NonStructuralSchema');
    expect(faulty).toEqual([]);
    // the first answer after a definition may be that its storage begins
    await until(
      () => kubernetes.kubectl(['get', 'proxmox,pvm', '-A']),
      ({ ok }) => ok,
    );
  });

  test('kubectl explains fields', () => {
    expect(kubernetes.done(['explain', 'machines.vitistack.io.spec.vmid'])).toContain("The guest's number");
    expect(kubernetes.done(['explain', 'machines.vitistack.io.spec.deletionPolicy'])).toContain('Retain');
    expect(kubernetes.done(['explain', 'vmsnapshots.infra.virtrigaud.io.status'])).toContain('conditions');
  });

  const folder = path.join(__dirname, '../../reconciler/manifests/documents');
  const documents = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(file => file.endsWith('.yaml'));
  test.each(documents)('documents that are read from files are accepted: %s', file => {
    const text = readFileSync(path.join(folder, file), 'utf8')
      .replaceAll('ENDPOINT', 'https://pve.example.com:8006')
      .replaceAll(/namespace: .*/g, 'namespace: default');
    expect(tried(text)).toMatchObject({
      stderr: expect.not.stringContaining('rror') as string,
    });
  });

  test('the resources of the page are accepted', () => {
    const page = readFileSync(path.join(__dirname, '../../../docs/kubernetes.md'), 'utf8');
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    expect(tried(text.replaceAll('team-a', 'default'))).toMatchObject({ ok: true });
  });

  const machine = (spec: object) => ({
    ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata: { name: 'web' } },
    spec,
  });
  test('a machine without a spec is refused; wrong-documents.test.ts has what else is', () => {
    const { ok, stderr } = tried({ ...machine({}), spec: undefined });
    expect({ ok, stderr }).toEqual({
      ok: false,
      stderr: expect.stringContaining('spec: Required value') as string,
    });
  });

  test.each(['On', 'Off'])('a word that the YAML of old reads as true or false is taken: %s', word => {
    const quoted = tried(machine({ powerState: word }));
    const plain = tried(
      `{apiVersion: vitistack.io/v1alpha1, kind: Machine, metadata: {name: web}, spec: {powerState: ${word}}}`,
    );
    expect([quoted, plain].map(({ ok, stderr }) => ({ ok, stderr }))).toEqual([
      { ok: true, stderr: '' },
      { ok: true, stderr: '' },
    ]);
  });

  test('a machine never changes its cluster', () => {
    const web = machine({ cluster: 'lab', image: { blank: true } });
    kubernetes.done(['apply', '-f', '-'], JSON.stringify(web));
    const { ok, stderr } = tried({ ...web, spec: { ...web.spec, cluster: 'other' } });
    expect({ ok, stderr }).toEqual({
      ok: false,
      stderr: expect.stringContaining('stays in its cluster') as string,
    });
  });
}
