import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desiredStates } from '../../../reconciler/input/desired-states';
import { Reporter } from '../../../reconciler/report/reporter';
import type { DesiredState } from '../../../spec';

const folder = mkdtempSync(join(tmpdir(), 'desired states '));
afterAll(() => rmSync(folder, { recursive: true }));

const around = (input = '') => ({
  environment: {},
  readInput: () => Promise.resolve(input),
  out: () => undefined,
  reporter: new Reporter({ write: () => undefined, level: 'error', json: false, columns: undefined }),
  signal: new AbortController().signal,
});
const read = async (input: string): Promise<DesiredState[]> =>
  (await desiredStates({ spec: ['-'] }, around(input))).states;
const readFile = async (name: string, text: string): Promise<DesiredState[]> => {
  writeFileSync(join(folder, name), text);
  return (await desiredStates({ spec: [join(folder, name)] }, around())).states;
};

const JSON_TEXT = JSON.stringify({
  $schema: 'https://example.com/desired-state.json',
  version: 1,
  owner: 'team/shop',
  cluster: { name: 'lab' },
  machines: [{ id: 'web', memory: '4Gi', disks: [{ name: 'root', size: '20G' }] }],
});
const YAML_TEXT = `# the web shop
$schema: https://example.com/desired-state.json
version: 1
owner: team/shop
cluster: { name: lab }
machines:
  - id: web
    memory: 4Gi
    disks:
      - name: root
        size: 20G
`;

test('YAML says the same as JSON, from stdin and from a file', async () => {
  const wanted = await read(JSON_TEXT);
  expect(wanted).toMatchObject([{ owner: 'team/shop', machines: [{ id: 'web', memory: 4 * 2 ** 30 }] }]);
  expect(await read(YAML_TEXT)).toEqual(wanted);
  expect(await readFile('shop.yaml', YAML_TEXT)).toEqual(wanted);
  expect(await readFile('shop.YML', YAML_TEXT)).toEqual(wanted);
  expect(await readFile('shop', YAML_TEXT)).toEqual(wanted);
  expect(await readFile('shop.yaml', JSON_TEXT)).toEqual(wanted);
});

test('what is wrong in one place hides nothing that is wrong in another', async () => {
  const twice = YAML_TEXT.replace('    memory: 4Gi', '    memory: 4Gi\n    memory: lots');
  const broken = YAML_TEXT.replace('    memory: 4Gi', '  memory: 4Gi');
  const wrong = YAML_TEXT.replace('team/shop', 'team/blog').replace('4Gi', 'few');
  const said = String(await read(`${twice}---\n${broken}---\n${wrong}`).catch(String));
  expect(said).toContain(':9:5: this key stands in its mapping twice');
  expect(said).toMatch(/memory: "lots" is not valid/);
  expect(said).toMatch(/:21:\d+: /);
  expect(said).toMatch(/memory: "few" is not valid/);
  // a daemon tells each line by itself
  expect(said.split('\n').filter(line => !/the desired state on stdin:\d+:\d+: \S/.test(line))).toEqual([]);
});

test('each problem of a JSON document names its file', async () => {
  const wrong = JSON_TEXT.replace('"4Gi"', '"few"').replace('"20G"', '"much"');
  const said = String(await readFile('wrong.json', wrong).catch(String)).split('\n');
  expect(said).toHaveLength(2);
  expect(said.filter(line => !/wrong\.json: machines\[web\]/.test(line))).toEqual([]);
});

test('each document of a file is a desired state', async () => {
  const other = YAML_TEXT.replace('team/shop', 'team/blog');
  const states = await read(`---\n${YAML_TEXT}---\n---\n${other}`);
  expect(states.map(({ owner }) => owner)).toEqual(['team/shop', 'team/blog']);
});

describe('what is wrong is told with its line and column', () => {
  test.each<[reason: string, text: string, says: RegExp]>([
    ['a value', YAML_TEXT.replace('20G', '0'), /on stdin:11:9: machines\[web\]\.disks\[root\]\.size: 0 is/],
    [
      'an unknown field',
      YAML_TEXT.replace('memory:', 'memroy:'),
      /on stdin:8:5: machines\[web\]\.memroy: .* Did you mean "memory"/,
    ],
    [
      'a missing field',
      YAML_TEXT.replace('name: root', 'slot: scsi0'),
      /on stdin:10:9: machines\[web\]\.disks\[0\]\.name: is required/,
    ],
    [
      'what is not reconciled yet',
      YAML_TEXT.replace('{ name: lab }', '{ name: lab, defaults: {} }'),
      /on stdin:5:\d+: cluster\.defaults: is not reconciled/,
    ],
    ['a text', 'hello', /on stdin:1:1: \(document\): "hello" is not valid; allowed: an object/],
    ['a tab', YAML_TEXT.replace('    memory', '\tmemory'), /on stdin:8:1: a tab/],
    ['one owner twice', `${YAML_TEXT}---\n${YAML_TEXT}`, /team\/shop wants of cluster lab is given twice/],
    ['only comments', '# later', /the desired state on stdin is empty/],
    [
      'a $schema that is no text',
      YAML_TEXT.replace(/https.*/, '1'),
      /on stdin:2:1: \$schema: 1 is not valid; allowed: text/,
    ],
  ])('%s', async (_, text, says) => {
    await expect(read(text)).rejects.toThrow(says);
  });

  test('a mark of the encoding is no part of JSON', async () => {
    expect(await readFile('bom.json', `\uFEFF${JSON_TEXT}`)).toEqual(await read(JSON_TEXT));
  });
  test('a manifest says by which option it is given', async () => {
    const manifest = 'apiVersion: vitistack.io/v1alpha1\nkind: Machine\nmetadata: {name: web}\n';
    await expect(readFile('web.yaml', manifest)).rejects.toThrow(
      /web\.yaml is a manifest \(kind: Machine\): give it by --manifests in place of --spec\./,
    );
  });
  test('a key that stands in an object of JSON twice, however it is written', async () => {
    const text = `{"version": 1, "owner": "{\\"a\\":", "cluster": {"name": "lab"},
  "machines": [{"id": "web", "memory": "1Gi", "memory":
    "2Gi", "name": "id"}],
  "m\\u0061chines": []}`;
    const twice = 'this key stands in its object twice. Keep one of them.';
    await expect(readFile('shop.json', text)).rejects.toThrow(
      new RegExp(`shop\\.json:2:47: ${twice}\n.*shop\\.json:4:3: ${twice}$`),
    );
  });
  test('a file that is named JSON is JSON', async () => {
    await expect(readFile('shop.json', YAML_TEXT)).rejects.toThrow(/shop\.json is no valid JSON/);
  });
});
