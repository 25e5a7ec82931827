import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describeEachEngine, environmentFor, type Engine } from '../../support/terraform/engines';
import { freshApp, peers, runIn, whyNotServed } from '../../support/terraform/fresh-app';
import { files } from '../../support/terraform/fresh-program';
import { ourGuests } from '../../support/cluster/our-guests';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { skipped } from '../../support/skipped';
import { EVERY } from '../../support/turns';

type App = Awaited<ReturnType<typeof freshApp>>;

const stackOf = (app: App) => path.join(app.folder, 'cdktf.out', 'stacks', 'fresh');
const synthesized = (app: App): string => readFileSync(path.join(stackOf(app), 'cdk.tf.json'), 'utf8');

let app: App;
beforeAll(async () => {
  app = await freshApp({ dependencies: peers }, files);
  expect(await app.compile()).toEqual({ code: 0, text: '' });
  expect(await app.run('node', 'out/main.js')).toMatchObject({ code: 0 });
}, 300_000);
afterAll(() => app.close());

describe('the package in a fresh app', () => {
  test.each([
    ['node16', 'node16'],
    // as bundlers do it, the next test compiles
    ...(EVERY ? [['nodenext', 'nodenext']] : []),
  ])(
    'its types resolve with module %s and moduleResolution %s',
    async (module, resolution) => {
      const options = ['--module', module, '--moduleResolution', resolution, '--noEmit'];
      expect(await app.compile('-p', '.', ...options)).toEqual({ code: 0, text: '' });
    },
    200_000,
  );

  test('an ES module synthesizes the same', async () => {
    const before = synthesized(app);
    rmSync(stackOf(app), { recursive: true });
    const options = ['--module', 'esnext', '--moduleResolution', 'bundler', '--outDir', 'esm'];
    expect(await app.compile('-p', '.', ...options)).toEqual({ code: 0, text: '' });
    renameSync(path.join(app.folder, 'esm', 'main.js'), path.join(app.folder, 'esm', 'main.mjs'));
    expect(await app.run('node', 'esm/main.mjs')).toMatchObject({ code: 0 });
    expect(synthesized(app)).toBe(before);
  }, 200_000);

  test('the program in the README compiles as it stands there, and synthesizes', async () => {
    expect(files['readme.ts']).toContain("from 'cdktf-proxmox'");
    expect(await app.run('node', 'out/readme.js')).toMatchObject({ code: 0 });
    const stack = path.join(app.folder, 'cdktf.out', 'stacks', 'web', 'cdk.tf.json');
    expect(JSON.parse(readFileSync(stack, 'utf8'))).toMatchObject({
      resource: { null_resource: { machine_lab_web: {} } },
      output: { address: {} },
    });
  }, 200_000);

  test('without its reconciler it says so, where, and what to do', async () => {
    const file = path.join(app.folder, 'node_modules', 'cdktf-proxmox', 'dist', 'reconciler.cjs');
    renameSync(file, `${file}.away`);
    const { code, text } = await app.run('node', 'out/main.js');
    renameSync(`${file}.away`, file);
    expect(code).toBe(1);
    expect(text).toContain('fresh: the reconciler is missing from the package: dist/reconciler.cjs. Install');
  });
});

/** Its stack is deployed, is then as planned, and is destroyed. */
async function deploys(of: App, engine: Engine): Promise<void> {
  const cluster = await startCluster({ taskMs: 20 });
  try {
    const env = { ...environmentFor(engine), ...programAccess(cluster) };
    const terraform = (verb: string, ...options: string[]) =>
      runIn(stackOf(of), [engine.path, verb, '-input=false', ...options], env);
    expect(await terraform('init')).toMatchObject({ code: 0 });
    expect(await runIn(stackOf(of), [engine.path, 'validate'], env)).toMatchObject({ code: 0 });
    expect(await terraform('apply', '-auto-approve')).toMatchObject({ code: 0 });
    expect(ourGuests(cluster)['web']?.['description']).toMatch(/^Its database is "pve\d"\./);
    expect(await terraform('plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await terraform('destroy', '-auto-approve')).toMatchObject({ code: 0 });
    expect(ourGuests(cluster)).toEqual({});
  } finally {
    await cluster.close();
  }
}

describeEachEngine('the package in a fresh app', engine => {
  test('its stack deploys and is destroyed', () => deploys(app, engine), 200_000);
});

const FORK = '0.24.0';
const OLDER = { cdktf: '0.20.8', constructs: '10.3.0', '@cdktf/provider-null': '10.0.1' };
// The bindings of the null provider ask for cdktf 0.21, hence its `overrides`.
const ALIAS = {
  dependencies: { ...peers, cdktf: `npm:cdktn@${FORK}`, constructs: '10.7.2' },
  overrides: { cdktf: '$cdktf' },
};

/** What an app brings in place of the peers that the others have, by what it does; `version`: what its stacks are signed with. */
type Other = [does: string, asks: string, version: string, manifest: object];
const LAST: Other = [
  'has the last cdktf 0.20',
  'cdktf@0.20.12',
  '0.20.12',
  { dependencies: { ...OLDER, cdktf: '0.20.12' } },
];
const OTHERS: Other[] = [
  ['aliases cdktf to cdktn', `cdktn@${FORK}`, FORK, ALIAS],
  ['is still on cdktf 0.20', `cdktf@${OLDER.cdktf}`, OLDER.cdktf, { dependencies: OLDER }],
  ...(EVERY ? [LAST] : []),
];

for (const [does, asks, version, manifest] of OTHERS) {
  const why = whyNotServed(asks);
  if (why !== undefined) {
    skipped(`an app that ${does}`, why);
    continue;
  }
  describe(`an app that ${does}`, () => {
    let other: App;
    beforeAll(async () => {
      other = await freshApp(manifest, files);
    }, 300_000);
    afterAll(() => other.close());

    test('compiles and synthesizes the same, but for the version of cdktf', async () => {
      expect(await other.compile()).toEqual({ code: 0, text: '' });
      expect(await other.run('node', 'out/main.js')).toMatchObject({ code: 0 });
      const versionOf = (text: string): string => `"version": "${text}"`;
      const asBefore = synthesized(other).replace(versionOf(version), versionOf(peers['cdktf'] ?? ''));
      expect(asBefore).not.toBe(synthesized(other));
      // They lay out empty lists differently.
      expect(JSON.parse(asBefore)).toEqual(JSON.parse(synthesized(app)));
      const state = (of: App): string => readFileSync(path.join(stackOf(of), 'proxmox', 'lab.json'), 'utf8');
      expect(state(other)).toBe(state(app));
    }, 200_000);

    if (EVERY)
      describeEachEngine('deployed', engine => {
        test('its stack deploys and is destroyed', () => deploys(other, engine), 200_000);
      });
  });
}
