import { parse } from 'yaml';
import { crds } from '../../../reconciler/kubernetes/crds/crds';
import { judge } from '../../../reconciler/kubernetes/resources/judge';
import { lab, resource, text, type Json } from '../../support/kubernetes/judged';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** The fields by which a schema lets a resource name a Secret. */
function placesIn({ properties = {} }: Schema, path: string[] = []): string[][] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const at = [...path, key];
    const names = /secret(?:Key)?Ref$/i.test(key) && schema.properties?.['name'] !== undefined;
    return names ? [at] : placesIn(schema, at);
  });
}

type Row = [kind: string, place: string, specOf: (reference: Json) => unknown];

const at = (kind: string, path: readonly string[]): Row => [
  kind,
  path.join('.'),
  reference => path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), reference),
];

const OF_DEFINITIONS = [...crds().values()].flatMap(definition => {
  const { spec } = parse(definition) as {
    spec: {
      names: { kind: string };
      versions: { schema: { openAPIV3Schema: { properties: { spec: Schema } } } }[];
    };
  };
  const places = placesIn(spec.versions[0]!.schema.openAPIV3Schema.properties.spec);
  return places.map(path => at(spec.names.kind, path));
});
/** What a schema leaves open. */
const OTHERS: Row[] = [
  ...['userDataFrom', 'vendorDataFrom', 'networkDataFrom', 'passwordFrom'].map(field =>
    at('Machine', ['cloudInit', field, 'secretRef']),
  ),
  [
    'Provider',
    'runtime.env.valueFrom.secretKeyRef',
    secretKeyRef => ({ runtime: { env: [{ name: 'PVE_TOKEN_SECRET', valueFrom: { secretKeyRef } }] } }),
  ],
];
const VALUE = 'the-value-of-team-b';
const BESIDE: Readonly<Record<string, Json>> = {
  ProxmoxCluster: { endpoint: 'https://t.example.com:8006' },
  Provider: { type: 'proxmox', endpoint: 'https://t.example.com:8006' },
  VMClone: { sourceVMRef: { name: 'base' } },
};

async function readingOf(kind: string, spec: unknown) {
  const asked: string[] = [];
  const whole = { ...(BESIDE[kind] ?? { image: { blank: true } }), ...(spec as Json) };
  const resources = [lab(), resource(kind, 'thief', whole)];
  const all = await judge(resources, {
    ...{ owner: 'manifests', environment: {}, apart: {}, whyNoSecret: () => undefined },
    secretOf: (namespace, name) => {
      asked.push(`${namespace}/${name}`);
      const value = namespace === 'team-b' ? VALUE : 'own';
      return Promise.resolve(new Map([['token-secret', value]]));
    },
  });
  const fault = all.faults.get(`uid-thief-${kind}`)?.message ?? '';
  return { asked, fault, read: JSON.stringify([all.states, all.environment]) };
}

test('the definitions name Secrets in machines and in clusters', () => {
  expect(OF_DEFINITIONS.length).toBeGreaterThan(10);
});

test.each([...OF_DEFINITIONS, ...OTHERS])(
  '%s: by spec.%s no resource reaches a Secret of another namespace',
  async (kind, place, specOf) => {
    const key = place === 'credentialSecretRef' ? {} : { key: 'token-secret' };
    const spec = specOf({ name: 'access', namespace: 'team-b', ...key });
    const { asked, fault, read } = await readingOf(kind, spec);
    expect(fault).toEqual(text('names a Secret of another namespace'));
    expect(asked.filter(name => name.startsWith('team-b/'))).toEqual([]);
    expect(read).not.toContain(VALUE);
  },
);

test('by the namespace of its own it does', async () => {
  const secretRef = { name: 'access', namespace: 'team-a', key: 'token-secret' };
  const { asked, fault } = await readingOf('Machine', { cloudInit: { userDataFrom: { secretRef } } });
  expect(fault).not.toContain('another namespace');
  expect(asked).toContain('team-a/access');
});
