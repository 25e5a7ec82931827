import { cpSync } from 'node:fs';
import path from 'node:path';
import { Image, Machine, ProxmoxCluster } from '../../../constructs';
import { run } from '../../support/processes/cli';
import type { EngineRun } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const image = { template: 'ubuntu-22.04' };
const variable = 'variable "machines" {\n  type    = any\n  default = {}\n}\n';
const call = (name: string, machines: string, more = ''): string => `
module "${name}" {
  source   = "./proxmox"
  owner    = "${name}"
  cluster  = { name = "lab" }
  machines = ${machines}
${more}}
output "${name}" { value = module.${name}.machines }
`;
const changes = (text: string): string | undefined => /Plan: [^\n]*/.exec(text)?.[0];

/** Fails with what the engine said, unless it exits 0: for a plan that means no changes. */
async function quiet(run: Promise<EngineRun>): Promise<void> {
  const { code, text } = await run;
  if (code !== 0) throw new Error(text.slice(-6000));
}

describeEachEngine('the module', engine => {
  let lab: PlainHcl;
  beforeEach(async () => {
    lab = await plainHcl(engine);
  });
  afterEach(() => lab.close());

  /** What the review of the next plan says of each machine. */
  const reviewed = async (): Promise<Record<string, string>> => {
    await quiet(lab.run('plan', '-input=false', '-out=saved.plan'));
    const { stdout, stderr } = await run(
      ['review', '--json'],
      {},
      (await lab.run('show', '-json', 'saved.plan')).text,
    );
    if (stdout === '') throw new Error(stderr);
    const { machines } = JSON.parse(stdout) as {
      machines: { id: string; module: string; verdict: string }[];
    };
    return Object.fromEntries(machines.map(({ id, module, verdict }) => [`${module}/${id}`, verdict]));
  };
  const init = (): Promise<void> => quiet(lab.run('init', '-input=false'));

  test('is valid, and written as fmt writes it', async () => {
    lab.write(`${variable}${call('lab', 'var.machines')}`);
    await init();
    await quiet(lab.run('validate'));
    expect(await lab.run('fmt', '-check', '-recursive', 'proxmox')).toEqual({ code: 0, text: '' });
  });

  test('an entry that is null is refused by its id, before anything is asked of Proxmox', async () => {
    for (const [machines, more] of [
      ['{ web = null, db = { image = { blank = true } } }', ''],
      ['{}', 'machines_json = jsonencode({ web = null })\n'],
    ] as const) {
      lab.write(call('lab', machines, more));
      await init();
      const { code, text } = await lab.run('plan', '-input=false');
      expect(code).not.toBe(0);
      expect(text.replace(/[\s\u2502]+/g, ' ')).toContain('An entry is null: web. Leave it out');
    }
  });

  test('an entry whose key is no id is refused by that key', async () => {
    for (const [machines, more] of [
      ['{ "My Web!" = { image = { blank = true } }, db = { image = { blank = true } } }', ''],
      ['{}', 'machines_json = jsonencode({ "My Web!" = {}, db = {} })\n'],
    ] as const) {
      lab.write(call('lab', machines, more));
      await init();
      const { code, text } = await lab.run('plan', '-input=false');
      expect(code).not.toBe(0);
      expect(text.replace(/[\s\u2502]+/g, ' ')).toContain(
        'No id of a machine: "My Web!". An id is 1 to 63 letters, digits and dashes',
      );
    }
  });

  test('follows a map, used twice: entries added, changed, removed; shapes mixed; emptied, then removed', async () => {
    const two = `${call('one', '{ for id, m in var.machines : id => m if m.memory != "1Gi" }')}${call(
      'two',
      '{ for id, m in var.machines : "${id}-2" => m if m.memory == "1Gi" }',
    )}`.replace('cluster  = { name = "lab" }', 'cluster  = { name = "lab", taskTimeout = "4m" }');
    lab.write(`variable "machines" {
  type = map(object({
    image    = map(string)
    memory   = string
    disks    = optional(list(object({ name = string, size = string, ssd = optional(bool) })))
    tags     = optional(list(string))
    networks = optional(list(map(string)))
  }))
}
${two}`);
    lab.ask({
      a: { image, memory: '1Gi' },
      b: {
        image,
        memory: '2Gi',
        disks: [
          { name: 'root', size: '40G' },
          { name: 'd', size: '1G', ssd: true },
        ],
      },
    });
    await init();
    await quiet(lab.apply());
    await quiet(lab.plan());
    expect(await lab.outputs()).toMatchObject({
      one: { b: { vmid: expect.any(Number), powerState: 'running' } },
      two: { 'a-2': { disks: { scsi0: { slot: 'scsi0' } } } },
    });
    const uuid = lab.guest('b')?.config['smbios1'];

    lab.ask({
      b: {
        image,
        memory: '3Gi',
        tags: ['y', 'x'],
        disks: [
          { name: 'd', size: '1G' },
          { name: 'root', size: '40G' },
        ],
      },
      c: { image, memory: '1Gi', networks: [{ name: 'lan', bridge: 'vmbr0', ipv4: 'dhcp' }] },
    });
    expect(await reviewed()).toEqual({
      'module.one/b': 'waits',
      'module.two/a-2': 'destroy',
      'module.two/c-2': 'create',
    });
    await quiet(lab.apply());
    await quiet(lab.plan());
    expect(lab.guest('a-2')).toBeUndefined();
    expect(lab.guest('c-2')).toBeDefined();
    expect(lab.guest('b')?.config).toMatchObject({ smbios1: uuid, tags: expect.stringContaining('x') });
    expect(await lab.outputs()).toMatchObject({ one: { b: { restartRequired: true } } });

    lab.ask({});
    await quiet(lab.apply());
    expect([lab.guest('b'), lab.guest('c-2')]).toEqual([undefined, undefined]);
    await quiet(lab.plan());
    lab.write('');
    await quiet(lab.apply());
    expect((await lab.run('state', 'list')).text).toBe('');
  }, 120_000);

  test('one value that is not known yet: it holds up only its own machine', async () => {
    lab.write(`variable "note" { default = "one" }
resource "null_resource" "other" { triggers = { note = var.note } }
${call(
  'lab',
  `{
  a = { image = { template = "ubuntu-22.04" } }
  b = { image = { template = "ubuntu-22.04" }, description = null_resource.other.id }
}`,
  '  own_observer = ["b"]\n',
)}`);
    await init();
    await quiet(lab.apply());
    await quiet(lab.plan());
    expect(lab.guest('b')?.config['description']).toMatch(/^\d{10,}/);
    const changed = await lab.plan('-var=note=two');
    expect(changed.text).toContain('module.lab.null_resource.machine["b"] must be replaced');
    expect(changed.text).not.toContain('module.lab.null_resource.machine["a"] must be replaced');
    expect(changes(changed.text)).toBe('Plan: 2 to add, 0 to change, 2 to destroy.');
    await quiet(lab.apply('-var=note=two'));
    await quiet(lab.plan('-var=note=two'));
  }, 120_000);

  test('says at the plan what is wrong, for one machine; takes JSON text; keeps the owner', async () => {
    const json = `machines_json = jsonencode({ j = { image = { template = { tag = "none" } } }, k = { image = { template = "ubuntu-22.04" }, power = null } })`;
    lab.write(`${call('lab', '{}', `  ${json}\n  facts = []\n`)}`);
    await init();
    const refused = await lab.plan();
    expect(refused.code).toBe(1);
    expect(refused.text.replace(/\s+/g, ' ')).toContain('machine j: template');
    expect(refused.text).not.toContain('machine k');
    lab.write(call('lab', '{}', `  ${json.replace('{ tag = "none" }', '"ubuntu-22.04"')}\n  facts = []\n`));
    await quiet(lab.apply());
    await quiet(lab.plan());
    lab.write(
      call('lab', '{}', `  ${json}\n  facts = []\n`).replace('"lab"\n  cluster', '"other"\n  cluster'),
    );
    expect((await lab.plan()).text.replace(/[\s│]+/g, ' ')).toContain(
      'machine k: its owner was lab, is now other.',
    );
  }, 120_000);

  test('a mistyped field is refused with the one that was meant, at any depth, also of the cluster', async () => {
    const template = 'image = { template = "ubuntu-22.04" }';
    const machines = (fields: string): string =>
      call('lab', `{ web = { ${template}, ${fields} }, db = { ${template} } }`);
    const said = async (hcl: string): Promise<string> => {
      lab.write(hcl);
      const { code, text } = await lab.plan();
      expect(code).toBe(1);
      return text.replace(/[\s│]+/g, ' ');
    };
    lab.write(machines('memory = "1Gi"'));
    await init();
    const [web, guess] = ['machine web: machines[web]', 'is no known field'];
    const first = await said(machines('memmory = "1Gi"'));
    expect(first).toContain(`${web}.memmory: "1Gi" ${guess}. Did you mean "memory"?`);
    expect(first).not.toContain('machine db');
    expect(await said(machines('cpu = { coers = 2 }'))).toMatch(
      /web\]\.cpu\.coers: 2 is no known field.*Did you mean "cores"\?/,
    );
    expect(await said(machines('disks = [{ name = "a", size = "1G", ssdd = true }]'))).toContain(
      'Did you mean "ssd"?',
    );
    expect(await said(machines('memory = 2048'))).toContain('machine web: machines[web].memory: 2048');
    expect(await said(machines('tags = ["pvr-aaaaaaaaaa"]'))).toContain('not with "pvr-"');
    expect(await said(machines('id = "other"'))).toContain("spec.web is the spec of 'other'");
    const cluster = machines('memory = "1Gi"').replace('name = "lab"', 'name = "lab", fingerprnt = "aa"');
    expect(await said(cluster)).toMatch(
      /cluster\.fingerprnt: "aa" is no known field.*Did you mean "fingerprint"\?/,
    );
    const json = call(
      'lab',
      '{}',
      `  machines_json = jsonencode({ web = { ${template}, memmory = "1Gi" } })\n`,
    );
    expect(await said(json)).toContain('Did you mean "memory"?');
  }, 120_000);

  test('takes machines over that constructs made; a destroy goes the way to the cluster that was applied last', async () => {
    const small = { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' };
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab', { owner: 'lab' });
      new Machine(stack, 'web', small);
      new Machine(stack, 'db', small);
    });
    await quiet(lab.apply());
    const before = lab.guest('web');
    const uuid = before?.config['smbios1'];
    const entry = (id: string): string =>
      `${id} = { image = { template = "ubuntu-22.04" }, memory = "1Gi", vmid = ${id === 'web' ? vmidOf('web') : vmidOf('db')}, adopt = true }`;
    const vmidOf = (name: string): string =>
      Object.entries(lab.world.guests).find(([, { config }]) => config['name'] === name)?.[0] ?? '';
    const folder = path.join(lab.folder, 'next');
    cpSync(path.join(lab.folder, 'proxmox'), path.join(folder, 'proxmox'), {
      recursive: true,
      filter: from => !/proxmox\/(lab\.json|reconciler\.[0-9a-f]+\.cjs)$/.test(from),
    });
    lab.put('next/main.tf', call('lab', `{ ${entry('web')}, ${entry('db')} }`));
    const next = (...args: string[]) => lab.run('-chdir=next', ...args);
    await quiet(next('init', '-input=false'));
    const released = await run(['release', 'web', 'db', '--owner', 'lab', '--yes'], lab.access);
    expect(released).toMatchObject({ code: 0 });
    await quiet(next('apply', '-input=false', '-auto-approve'));
    await quiet(next('plan', '-input=false', '-detailed-exitcode'));
    expect(lab.guest('web')?.config['smbios1']).toBe(uuid);
    // the old state is no longer its master
    await quiet(lab.destroy());
    expect(lab.guest('web')?.config['smbios1']).toBe(uuid);
    // the way to the cluster moves from the environment into the call: an entry as it was made does not know it
    const cluster = `name = "lab", endpoint = "${lab.simulator.url}"`;
    const there = (machines: string): string => call('lab', machines).replace('name = "lab"', cluster);
    delete lab.access['PVE_ENDPOINT'];
    lab.put('next/main.tf', there(`{ ${entry('web')}, ${entry('db')} }`));
    const changed = await next('apply', '-input=false', '-auto-approve');
    expect(changed.text).toContain('0 added, 2 changed, 0 destroyed');
    lab.put('next/main.tf', there(`{ ${entry('db')} }`));
    await quiet(next('apply', '-input=false', '-auto-approve'));
    expect([lab.guest('web'), lab.guest('db') === undefined]).toEqual([undefined, false]);
  }, 120_000);

  test('keeps what a stack made, when its entries are moved into the module', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab', { owner: 'lab' });
      new Machine(stack, 'web', { image: Image.fromTemplate('ubuntu-22.04') });
    });
    await quiet(lab.apply());
    const uuid = lab.guest('web')?.config['smbios1'];
    lab.remove('cdk.tf.json');
    lab.write(`terraform {
  backend "local" { path = "terraform.tfstate" }
}
moved {
  from = null_resource.machines_lab
  to   = module.lab.terraform_data.machines
}
moved {
  from = null_resource.machine_lab_web
  to   = module.lab.null_resource.machine["web"]
}
${call('lab', '{ web = { image = { template = "ubuntu-22.04" } } }')}`);
    await init();
    const moved = await lab.apply();
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.text).not.toContain('terraform_data.machines["web"]: Destroying');
    expect(lab.guest('web')?.config['smbios1']).toBe(uuid);
    await quiet(lab.plan());
    lab.write('terraform {\n  backend "local" { path = "terraform.tfstate" }\n}\n' + call('lab', '{}'));
    await quiet(lab.apply());
    expect(lab.guest('web')).toBeUndefined();
  }, 120_000);
});
