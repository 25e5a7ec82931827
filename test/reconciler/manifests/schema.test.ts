import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { manifestSchema } from '../../../reconciler/manifests';
import { runLine } from '../walk/live';

const schema = z.fromJSONSchema(manifestSchema() as Parameters<typeof z.fromJSONSchema>[0]);
const takes = (json: unknown): boolean => schema.safeParse(json).success;

const documents = ['operator', 'provider', 'copies'].flatMap(name => {
  const folder = join(__dirname, 'documents', name);
  return readdirSync(folder).flatMap(file => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll(
      'ENDPOINT',
      'https://pve.example.com:8006',
    );
    return parseAllDocuments(text).map((each, index) => [`${name}/${file} ${index}`, each.toJS()] as const);
  });
});

test.each(documents)('takes %s, which is read', (_, json) => {
  expect(takes(json)).toBe(true);
});

const machine = (spec: object, rest: object = {}) => ({
  ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', metadata: { name: 'web' }, spec, ...rest },
});

test.each<[string, unknown, boolean]>([
  ['a machine', machine({ memory: '2Gi', disks: [{ name: 'root', size: '10G' }] }), true],
  ['other words for a field', machine({ powerState: 'On', resources: { cpu: 2, disk: '20G' } }), true],
  ['networks with a mac', machine({ networks: [{ mac: '02:00:00:00:00:01', bridge: 'vmbr0' }] }), true],
  ['what Kubernetes adds', machine({}, { status: {}, metadata: { name: 'web', uid: 'x' } }), true],
  ['a list', { apiVersion: 'v1', kind: 'List', items: [machine({})] }, true],
  ['an unknown kind', { ...machine({}), kind: 'Machin' }, false],
  ['another version', { ...machine({}), apiVersion: 'vitistack.io/v2' }, false],
  ['no name', { ...machine({}), metadata: {} }, false],
  ['no spec', { ...machine({}), spec: undefined }, false],
  ['an unknown field', machine({ memroy: '2Gi' }), false],
  ['an unknown field of a disk', machine({ disks: [{ name: 'root', sise: '10G' }] }), false],
  ['a field that is refused', machine({ id: 'web' }), false],
  ['an unknown word', machine({ powerState: 'Up' }), false],
  ['cores that are no number', machine({ cpu: { cores: 'two' } }), false],
  ['a list with a wrong one', { apiVersion: 'v1', kind: 'List', items: [machine({ memroy: 1 })] }, false],
])('%s', (_, json, isTaken) => {
  expect(takes(json)).toBe(isTaken);
});

test('is printed by the command line', async () => {
  const { code, out } = await runLine(['schema', 'manifests'], {});
  expect([code, JSON.parse(out)]).toEqual([0, JSON.parse(JSON.stringify(manifestSchema()))]);
});
