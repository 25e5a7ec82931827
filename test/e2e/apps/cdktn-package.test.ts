import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeEachEngine, environmentFor } from '../../support/terraform/engines';
import { CDKTN_PACKAGE, freshApp, peers, runIn, whyNotServed } from '../../support/terraform/fresh-app';
import { files, shownIn } from '../../support/terraform/fresh-program';
import { ourGuests } from '../../support/cluster/our-guests';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { skipped } from '../../support/skipped';

type App = Awaited<ReturnType<typeof freshApp>>;
type Json = Record<string, unknown>;

/** One of each construct, so that each kind of null resource and each block is there. */
const all = `
import { App, LocalBackend, TerraformStack, TerraformVariable } from 'cdktf';
import {
  ExistingMachine, ExistingMachines, Image, Machine, MachineClass, PlacementPolicy, PreparedImage, ProxmoxCluster, ProxmoxNode,
  Reference, RemovedCluster, Snapshot,
} from 'cdktf-proxmox';

const app = new App();
const stack = new TerraformStack(app, 'all');
new LocalBackend(stack, { path: 'terraform.tfstate' });
const cluster = new ProxmoxCluster(stack, 'lab', { owner: 'team' });
new RemovedCluster(stack, 'old');
new ProxmoxNode(stack, 'pve1', { labels: { zone: 'a' } });
const given = new TerraformVariable(stack, 'given', { type: 'string' });
const debian = new PreparedImage(stack, 'debian', {
  url: 'https://example.com/debian.qcow2', checksum: 'sha256:${'a'.repeat(64)}', diskStorage: 'local-lvm',
});
const small = new MachineClass({ name: 'small', cpus: 2, memory: '4Gi' });
const first = new PlacementPolicy({ name: 'first', nodes: ['pve1'] });
const db = new Machine(stack, 'db', {
  cluster, class: small, placement: first, image: debian.image, formerIds: ['database'], description: given.stringValue,
  cloudInit: { user: 'admin', passwordFrom: Reference.fromEnvironment('DB_PASSWORD') },
});
const clean = new Snapshot(stack, 'clean', { machine: db, description: 'as installed' });
const legacy = new ExistingMachine(stack, 'legacy', { cluster, name: 'legacy-db' });
const backends = new ExistingMachines(stack, 'backends', { cluster, tag: 'web' });
new Machine(stack, 'web', {
  cluster, image: Image.fromTemplate(9000), dependsOn: [clean], tags: [db.primaryIpAddress, legacy.primaryIpAddress],
  description: legacy.nodeName + ' and ' + backends.count,
});
app.synth();
`;

const CDKTN = '0.24.0';
/** The same program for the other package: what a person changes who moves to it. */
const moved = (program: string) => program.replaceAll(/'cdktf(?=-proxmox|')/g, "'cdktn");
const ofCdktf = { ...files, 'all.ts': all };
const ofCdktn = {
  ...files,
  'main.ts': moved(files['main.ts']),
  'all.ts': moved(all),
  'readme.ts': shownIn('scripts/bundled/cdktn-readme.md'),
};
const stackOf = (app: App, name: string) => path.join(app.folder, 'cdktf.out', 'stacks', name);
/** A file of a stack; what the framework signs it with, and nothing else, is told apart. */
function stackFile(app: App, name: string): { signed: Json; said: Json } {
  const text = readFileSync(path.join(stackOf(app, name), 'cdk.tf.json'), 'utf8');
  const { '//': signed, ...said } = JSON.parse(text) as Json;
  return { signed: signed as Json, said };
}
/** All that travels with a stack, but what is compared above. */
const besides = (app: App, name: string): [string, string][] => {
  const folder = path.join(stackOf(app, name), 'proxmox');
  return readdirSync(folder).map(file => [file, readFileSync(path.join(folder, file), 'base64')]);
};

const why = whyNotServed(`cdktn@${CDKTN}`);
if (why !== undefined) skipped('the package for cdktn', why);
else withCdktn();

function withCdktn(): void {
  let app: App;
  let former: App;
  beforeAll(async () => {
    app = await freshApp({ dependencies: { cdktn: CDKTN, constructs: '10.7.2' } }, ofCdktn, CDKTN_PACKAGE);
    former = await freshApp({ dependencies: peers }, ofCdktf);
    expect(await app.compile()).toEqual({ code: 0, text: '' });
    expect(await former.compile('-p', '.', '--noCheck')).toEqual({ code: 0, text: '' });
    for (const each of [app, former]) {
      for (const program of ['main', 'all', 'readme'])
        expect(await each.run('node', `out/${program}.js`)).toMatchObject({ code: 0 });
    }
  }, 600_000);
  afterAll(() => [app, former].forEach(each => each?.close()));

  test('it brings no cdktf, and its types name cdktn', async () => {
    const modules = path.join(app.folder, 'node_modules');
    expect(
      readdirSync(modules)
        .filter(name => !name.startsWith('.'))
        .sort(),
    ).toEqual(['cdktn', 'cdktn-proxmox', 'constructs', 'yaml', 'zod']);
    const types = path.join(modules, 'cdktn-proxmox', 'dist', 'constructs', 'machine.d.ts');
    expect(readFileSync(types, 'utf8')).toContain("from 'cdktn'");
  });

  test.each(['fresh', 'all'])('the stack %s is the one that the package for cdktf writes', name => {
    const [ours, theirs] = [stackFile(app, name), stackFile(former, name)];
    expect(ours.said).toHaveProperty(['resource', 'null_resource']);
    expect(ours.said).toEqual(theirs.said);
    const signedBy = (version: unknown, { signed }: typeof ours): Json => ({
      ...signed,
      metadata: { ...(signed['metadata'] as Json), version },
    });
    expect(signedBy(CDKTN, theirs)).toEqual(ours.signed);
    expect(besides(app, name)).toEqual(besides(former, name));
  });

  test('the program in its README synthesizes', () => {
    expect(stackFile(app, 'web').said).toMatchObject({
      resource: { null_resource: { machine_lab_web: {} } },
    });
  });

  test('its command is there', async () => {
    const command = path.join('node_modules', '.bin', 'pve-reconciler');
    expect(await app.run(command, '--version')).toMatchObject({ code: 0 });
  });

  describeEachEngine('the package for cdktn', engine => {
    test('its stack deploys, is then as planned also by the package for cdktf, and is destroyed', async () => {
      const cluster = await startCluster({ taskMs: 20 });
      try {
        const env = { ...environmentFor(engine), ...programAccess(cluster) };
        const [ours, theirs] = [stackOf(app, 'fresh'), stackOf(former, 'fresh')];
        const terraform = (folder: string, verb: string, ...options: string[]) =>
          runIn(folder, [engine.path, verb, '-input=false', ...options], env);
        expect(await terraform(ours, 'init')).toMatchObject({ code: 0 });
        expect(await terraform(ours, 'apply', '-auto-approve')).toMatchObject({ code: 0 });
        expect(ourGuests(cluster)['web']?.['description']).toMatch(/^Its database is "pve\d"\./);
        expect(await terraform(ours, 'plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
        for (const file of ['terraform.tfstate', '.terraform.lock.hcl'])
          copyFileSync(path.join(ours, file), path.join(theirs, file));
        expect(await terraform(theirs, 'init')).toMatchObject({ code: 0 });
        expect(await terraform(theirs, 'plan', '-detailed-exitcode')).toMatchObject({ code: 0 });
        expect(await terraform(ours, 'destroy', '-auto-approve')).toMatchObject({ code: 0 });
        expect(ourGuests(cluster)).toEqual({});
      } finally {
        await cluster.close();
      }
    }, 200_000);
  });
}
