import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { desiredStates, type Desired } from '../../../reconciler/input/desired-states';
import { Reporter } from '../../../reconciler/report/reporter';
import { CLUSTER, manifest, saidIn, secret } from '../../support/manifests/said';

const folder = mkdtempSync(join(tmpdir(), 'manifest states '));
afterAll(() => rmSync(folder, { recursive: true }));

type Environment = Record<string, string>;

/** What these manifests on stdin want, in this environment. */
const read = (text: string, environment: Environment = {}, options: object = {}): Promise<Desired> =>
  desiredStates(
    { manifests: ['-'], ...options },
    {
      environment,
      readInput: () => Promise.resolve(text),
      out: () => undefined,
      reporter: new Reporter({ write: () => undefined, level: 'error', json: false, columns: undefined }),
      signal: new AbortController().signal,
    },
  );
const provider = (name: string, more: object = {}): string =>
  manifest('Provider', name, { type: 'proxmox', credentialSecretRef: { name: 's' }, ...more });
const SECRET = secret('s', { token_id: 'a@pve!b', token_secret: 'hunter2' });

describe('what Secrets give goes over the variables of its cluster', () => {
  test.each<[reason: string, text: string, environment: Environment, want: Environment]>([
    [
      'one cluster: those without its name',
      provider('lab'),
      {},
      { PVE_TOKEN_ID: 'a@pve!b', PVE_TOKEN_SECRET: 'hunter2' },
    ],
    [
      'one cluster that has variables of its own: beside those',
      provider('lab'),
      { PVE_LAB_CA_BUNDLE: '/ca' },
      { PVE_LAB_CA_BUNDLE: '/ca', PVE_LAB_TOKEN_ID: 'a@pve!b', PVE_LAB_TOKEN_SECRET: 'hunter2' },
    ],
    [
      'two clusters: those with their names',
      provider('lab') + manifest('ProxmoxCluster', 'far-1'),
      {},
      { PVE_LAB_TOKEN_ID: 'a@pve!b', PVE_LAB_TOKEN_SECRET: 'hunter2' },
    ],
    [
      'the same as the environment says',
      provider('lab'),
      { PVE_TOKEN_ID: 'a@pve!b' },
      { PVE_TOKEN_ID: 'a@pve!b', PVE_TOKEN_SECRET: 'hunter2' },
    ],
  ])('%s', async (_, text, environment, want) => {
    expect((await read(text + SECRET, environment)).around.environment).toEqual(want);
  });

  test('another value than the environment has is refused, and not shown', async () => {
    const error = await read(provider('lab') + SECRET, { PVE_TOKEN_SECRET: 'other' }).catch(String);
    expect(error).toMatch(
      /stdin:2:\d+: PVE_TOKEN_SECRET is set in the environment too, to something else: .* from the Secret that is named here/,
    );
    expect(error).not.toMatch(/hunter2|other'/);
  });

  test('a Secret that is nowhere: the environment gives them all, or it is told', async () => {
    const { around } = await read(provider('lab'), { PVE_TOKEN_ID: 'x@pve!y', PVE_TOKEN_SECRET: 'z' });
    expect(around.environment).toEqual({ PVE_TOKEN_ID: 'x@pve!y', PVE_TOKEN_SECRET: 'z' });
    await expect(read(provider('lab'))).rejects.toThrow(
      /"s" names no secret of namespace default.*--secrets/,
    );
  });
});

describe('mounted Secrets', () => {
  const mounted = join(folder, 'mounted');
  const put = (...place: string[]): void => {
    mkdirSync(join(mounted, ...place.slice(0, -1)), { recursive: true });
    writeFileSync(join(mounted, ...place), `${place.join('/')}\n`);
  };
  put('s', 'token_secret');
  put('default', 's', 'token_id');
  put('other', 'token_id');
  // as Kubernetes mounts them
  mkdirSync(join(mounted, 'linked', '..data'), { recursive: true });
  writeFileSync(join(mounted, 'linked', '..data', 'token_id'), 'of a link');
  symlinkSync(join('..data', 'token_id'), join(mounted, 'linked', 'token_id'));
  writeFileSync(join(folder, 'outside'), 'no Secret');

  test.each<[name: string, want: object]>([
    ['s', { PVE_TOKEN_ID: 'default/s/token_id' }],
    ['other', { PVE_TOKEN_ID: 'other/token_id' }],
    ['linked', { PVE_TOKEN_ID: 'of a link' }],
  ])('%s', async (name, want) => {
    const text = provider('lab', { credentialSecretRef: { name } });
    expect((await read(text, {}, { secrets: mounted })).around.environment).toEqual(want);
  });

  test.each(['..', '../mounted/s', '.'])(
    'nothing outside of the folder, and not the folder itself: %s',
    async name => {
      const text = provider('lab', { credentialSecretRef: { name, namespace: '..' } });
      await expect(read(text, {}, { secrets: join(mounted, 's') })).rejects.toThrow(/names no secret/);
    },
  );
});

describe('files and folders', () => {
  const place = join(folder, 'files');
  mkdirSync(join(place, 'more', 'deeper'), { recursive: true });
  mkdirSync(join(place, '.git'));
  writeFileSync(join(place, 'cluster.yml'), CLUSTER);
  writeFileSync(join(place, 'more', 'deeper', 'web.json'), manifest('Machine', 'web').replace('---\n', ''));
  writeFileSync(join(place, 'notes.md'), 'not read');
  writeFileSync(join(place, '.git', 'hidden.yaml'), 'a: [');
  writeFileSync(join(place, 'later.yaml'), '# nothing yet\n');

  test('every file of a folder and of those in it, but for hidden ones', async () => {
    const { states } = await read('', {}, { manifests: [place] });
    expect(states).toMatchObject([{ owner: 'manifests/lab/default', machines: [{ id: 'web' }] }]);
  });

  test('several places are one set', async () => {
    const { states } = await read(CLUSTER, {}, { manifests: ['-', join(place, 'more')], owner: 'team' });
    expect(states).toMatchObject([{ owner: 'team/lab/default', machines: [{ id: 'web' }] }]);
  });

  test.each<[reason: string, options: object, says: RegExp]>([
    [
      'a folder without manifests',
      { manifests: [join(place, '.git', '..', '..', 'mounted')] },
      /holds no manifests/,
    ],
    ['a file without a document', { manifests: [join(place, 'later.yaml')] }, /there is no document in it/],
    [
      'an owner without manifests',
      { manifests: [], spec: ['-'], owner: 'x' },
      /^--owner: only --manifests takes that\. Remove it/,
    ],
    ['an owner alone', { manifests: [], owner: 'x' }, /^no desired state is given: name its file/],
    [
      'an owner that is none',
      { manifests: [place], owner: ' ' },
      /owner: " \/lab\/default" is not valid|owner: is not valid/,
    ],
  ])('%s', async (_, options, says) => {
    await expect(read('', {}, options)).rejects.toThrow(says);
  });
});

test('a mistyped cluster is told, though the environment has credentials for any', async () => {
  const text = CLUSTER + manifest('VirtualMachine', 'web', { providerRef: { name: 'lba' } });
  const { problems } = await saidIn(text, { hasCredentials: () => true });
  expect(problems.join()).toMatch(/"lba" names no cluster .*Did you mean "lab"\?/);
});
