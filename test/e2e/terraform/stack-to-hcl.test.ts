import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Resource } from '@cdktf/provider-null/lib/resource';
import { TerraformOutput, TerraformVariable, type TerraformStack } from 'cdktf';
import {
  ExistingMachine,
  Image,
  Machine,
  PreparedImage,
  ProxmoxCluster,
  ProxmoxNode,
  Snapshot,
} from '../../../constructs';
import { qcow2 } from '../../support/cluster/image-server';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const image = Image.fromTemplate('ubuntu-22.04');
const lan = { name: 'lan', ipv4: 'dhcp' as const };

/** Six machines, each of another kind: what it is made of, what it reads, and who reads it. */
function sixMachines(stack: TerraformStack): void {
  const lab = new ProxmoxCluster(stack, 'lab', { nodes: ['pve1', 'pve2', 'pve3'] });
  const node = new ProxmoxNode(stack, 'pve1', { maxVMs: 20, labels: { disk: 'ssd' } });
  const given = new TerraformVariable(stack, 'given', { type: 'string', default: 'a "given" <text>' });
  const seed = new Resource(stack, 'seed', { triggers: { text: '$${not} %%{this} "é"' } });
  const db = new Machine(stack, 'db', { image, memory: '1Gi', networks: [lan], agent: true });
  new Snapshot(stack, 'clean', { machine: db, description: 'as <delivered> – today' });
  new Snapshot(stack, 'plain', { machine: db, description: 'as delivered' });
  const web = new Machine(stack, 'web', {
    ...{ image, memory: '1Gi', node: 'pve2' },
    description: `Its database is at ${db.primaryIpAddress} & "${given.stringValue}".`,
  });
  new Machine(stack, 'umlaut', { image, memory: '512Mi', description: 'Größe <b> & ${x} 😀\n\t"\\u003c"' });
  new Machine(stack, 'late', { image, memory: '512Mi', description: `seed ${seed.id}`, tags: ['late'] });
  new Machine(stack, 'fixed', {
    ...{ image, memory: '1Gi', formerIds: ['old', 'older'], restart: 'whenNeeded' },
    networks: [{ name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } }],
  });
  new Machine(stack, 'watched', { image, memory: '512Mi', mode: 'paused' });
  const theirs = new ExistingMachine(stack, 'theirs', { vmid: 100 });
  const after = new Resource(stack, 'after', { triggers: { vmid: `${db.vmid}` }, dependsOn: [web] });
  const outputs = {
    ...{ address: db.primaryIpAddress, addresses: db.ipAddresses, vmid: web.vmid, disks: db.disks },
    ...{ version: lab.version, ready: node.ready, count: node.vmCount, made: after.id },
    ...{ guest: theirs.guestName, power: theirs.powerState },
    ...{ snapshots: db.snapshots, both: `"${db.vmid}" on ${web.nodeName}`, conditions: db.conditions },
  };
  for (const [name, value] of Object.entries(outputs))
    new TerraformOutput(stack, name, { value, staticId: true });
}

function done({ code, text }: { code: number; text: string }): string {
  if (code !== 0) throw new Error(text.slice(-8000));
  return text;
}

const GATE = 'destroy,rebuild,refused,forget,restart,stop,unknown,change,adopt,create,warning';

interface Shown {
  resource_changes: { address: string; mode: string; change: { actions: string[] } }[];
  output_changes?: Record<string, { actions: string[] }>;
}

describeEachEngine('a stack that becomes HCL', engine => {
  let lab: Deployment;
  let folder: string;
  beforeEach(async () => {
    lab = await deployment(engine);
    folder = mkdtempSync(path.join(tmpdir(), 'as hcl '));
  });
  afterEach(async () => {
    await lab.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const place = (): string => path.join(folder, 'web');
  const there = async (...args: string[]): Promise<string> => {
    const { code, text } = await lab.run(`-chdir=${place()}`, ...args);
    if (code !== 0) throw new Error(text.slice(-8000));
    return text;
  };
  const changes = async (...args: string[]): Promise<Record<string, string>> => {
    await there('plan', '-input=false', '-out=saved.plan', ...args);
    const { resource_changes: all, output_changes: outputs = {} } = JSON.parse(
      await there('show', '-json', 'saved.plan'),
    ) as Shown;
    const named = [
      ...all
        .filter(({ mode }) => mode === 'managed')
        .map(({ address, change }) => [address, change] as const),
      ...Object.entries(outputs),
    ];
    return Object.fromEntries(
      named.flatMap(([name, { actions }]) => (actions.join() === 'no-op' ? [] : [[name, actions.join('+')]])),
    );
  };

  test('six machines: the first plan changes nothing, there and back, all outputs are the same, and life goes on', async () => {
    await lab.synth(sixMachines);
    done(await lab.apply());
    // the facts of a machine are read before its snapshots are taken
    done(await lab.apply());
    done(await lab.plan());
    const before = await lab.outputs();
    const state = path.join(folder, 'before.tfstate');
    writeFileSync(state, done(await lab.run(`-chdir=${lab.folder}`, 'state', 'pull')));
    const written = await run(['module', '--from', lab.folder, '--out', place()]);
    expect(written).toMatchObject({ code: 0 });
    await there('init', '-input=false');
    lab.writes();
    expect(await changes()).toEqual({});
    const json = await there('show', '-json', 'saved.plan');
    const review = await run(['review', '--json', '--fail-on', GATE], {}, json);
    expect(review).toMatchObject({ code: 0 });
    const { machines } = JSON.parse(review.stdout) as { machines: { id: string; verdict: string }[] };
    expect(Object.fromEntries(machines.map(({ id, verdict }) => [id, verdict]))).toEqual({
      ...{ db: 'unchanged', fixed: 'unchanged', late: 'unchanged', umlaut: 'unchanged' },
      ...{ watched: 'unchanged', web: 'unchanged' },
    });
    await there('apply', '-input=false', 'saved.plan');
    expect((await lab.run(`-chdir=${place()}`, 'plan', '-input=false', '-detailed-exitcode')).code).toBe(0);
    expect(await lab.outputs()).toEqual(before);
    expect(lab.writes()).toEqual([]);

    // and back, as docs/module.md says; then here again, where the state is the stack's
    done(await lab.run(`-chdir=${lab.folder}`, 'state', 'push', '-force', state));
    expect((await lab.run(`-chdir=${lab.folder}`, 'plan', '-input=false', '-detailed-exitcode')).code).toBe(
      0,
    );
    expect(await lab.outputs()).toEqual(before);
    expect(await changes()).toEqual({});
    await there('apply', '-input=false', 'saved.plan');
    expect(lab.writes()).toEqual([]);

    const main = path.join(place(), 'main.tf');
    const text = readFileSync(main, 'utf8');
    writeFileSync(main, text.replace(/(fixed = \{[^}]*\}\n *memory *= )1073741824/, '$1"2Gi"'));
    expect(await changes()).toEqual({
      'module.lab.null_resource.machine["fixed"]': 'delete+create',
      // counted after all machines, as in the stack
      count: 'update',
    });
    await there('apply', '-input=false', 'saved.plan');
    expect(lab.guest('fixed')?.config['memory']).toBe('2048');
    expect((await lab.run(`-chdir=${place()}`, 'plan', '-input=false', '-detailed-exitcode')).code).toBe(0);
    const others = lab.writes().filter(line => !line.includes(`/qemu/${lab.guest('fixed')?.vmid}/`));
    expect(others).toEqual([]);
    await there('fmt', '-check', '-diff');
    await there('destroy', '-input=false', '-auto-approve');
    expect(lab.guests()).toEqual([]);
  }, 300_000);

  test('an image that was made ready, and two clusters: the first plan changes nothing, and a destroy takes all', async () => {
    const file = path.join(folder, 'golden.qcow2');
    writeFileSync(file, qcow2(2 ** 30));
    for (const [name, value] of Object.entries(lab.access))
      for (const cluster of ['LAB', 'OTHER']) lab.access[name.replace(/^PVE_/, `PVE_${cluster}_`)] = value;
    await lab.synth(stack => {
      const cluster = new ProxmoxCluster(stack, 'lab');
      const golden = new PreparedImage(stack, 'golden', { cluster, file, diskStorage: 'shared' });
      const web = new Machine(stack, 'web', { cluster, image: golden.image, power: 'stopped' });
      const other = new ProxmoxCluster(stack, 'other', { owner: 'other' });
      new Machine(stack, 'solo', {
        cluster: other,
        image,
        power: 'stopped',
        description: `beside ${web.vmid}`,
      });
      new TerraformOutput(stack, 'vmid', { value: web.vmid, staticId: true });
    });
    done(await lab.apply());
    const before = await lab.outputs();
    expect(await run(['module', '--from', lab.folder, place()])).toMatchObject({ code: 0 });
    await there('init', '-input=false');
    lab.writes();
    expect(await changes()).toEqual({});
    await there('apply', '-input=false', 'saved.plan');
    expect([await lab.outputs(), lab.writes()]).toEqual([before, []]);
    await there('fmt', '-check', '-diff');
    expect(lab.guests()).toHaveLength(3);
    await there('destroy', '-input=false', '-auto-approve');
    expect(lab.guests()).toEqual([]);
  }, 300_000);

  test('machines that wait for others, and clones: the first plan changes nothing, and the order stays', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      const small = { image, memory: '512Mi', power: 'stopped' as const };
      const db = new Machine(stack, 'db', small);
      const setup = new Resource(stack, 'setup', { triggers: { vmid: `${db.vmid}` }, dependsOn: [db] });
      const app = new Machine(stack, 'app', { ...small, dependsOn: [setup] });
      new Machine(stack, 'copy', { image: Image.fromMachine('app'), power: 'stopped' });
      new Machine(stack, 'end', { ...small, dependsOn: [app] });
      new TerraformOutput(stack, 'vmid', { value: app.vmid, staticId: true });
    });
    done(await lab.apply());
    const before = await lab.outputs();
    expect(await run(['module', '--from', lab.folder, place()])).toMatchObject({ code: 0 });
    await there('init', '-input=false');
    lab.writes();
    expect(await changes()).toEqual({});
    await there('apply', '-input=false', 'saved.plan');
    expect([await lab.outputs(), lab.writes()]).toEqual([before, []]);
    await there('fmt', '-check', '-diff');

    const main = path.join(place(), 'main.tf');
    const text = readFileSync(main, 'utf8');
    writeFileSync(main, text.replace('536870912', '"1Gi"'));
    // what waits for a change is no change itself
    const revision = (call: string, id: string) => `module.${call}.null_resource.machine["${id}"]`;
    const changesOfDb = { [revision('lab', 'db')]: 'delete+create', 'null_resource.setup': 'delete+create' };
    expect(await changes()).toEqual(changesOfDb);
    writeFileSync(main, text.replaceAll('536870912', '"1Gi"'));
    expect(await changes()).toEqual({
      ...changesOfDb,
      [revision('lab_2', 'app')]: 'delete+create',
      [revision('lab_3', 'end')]: 'delete+create',
      // read again after the change
      vmid: 'update',
    });
    await there('apply', '-input=false', 'saved.plan');
    const ids = ['db', 'app', 'end'].map(id => lab.guest(id)?.vmid);
    const changed = lab.writes().map(line => Number(/qemu\/(\d+)\/config$/.exec(line)?.[1]));
    expect(changed).toEqual(ids);
    await there('destroy', '-input=false', '-auto-approve');
    expect(lab.guests()).toEqual([]);
  }, 300_000);

  test('the old stack, applied later by mistake, and the HCL after it, touch no guest', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab');
      new Machine(stack, 'web', { image, memory: '512Mi' });
    });
    done(await lab.apply());
    expect(await run(['module', '--from', lab.folder, '--out', place()])).toMatchObject({ code: 0 });
    await there('init', '-input=false');
    await there('apply', '-input=false', '-auto-approve');
    const before = lab.guest('web');
    lab.writes();
    const { code, text } = await lab.apply();
    expect([code, lab.writes()]).toEqual([1, []]);
    expect(text).toContain('web');
    expect(lab.guest('web')).toEqual(before);
    await lab.run(`-chdir=${place()}`, 'apply', '-input=false', '-auto-approve');
    expect(lab.writes()).toEqual([]);
    expect(lab.guest('web')).toEqual(before);
  }, 300_000);
});
