import { TerraformOutput, TerraformStack, Testing } from 'cdktf';
import { Image, Machine, ProxmoxCluster, ProxmoxNode, Snapshot } from '../../constructs';
import { mainTf } from '../../reconciler/module/main-tf';

interface Resource {
  triggers: object;
  provisioner: { 'local-exec': { command: string; environment: object } }[];
}

const app = Testing.app();
const stack = new TerraformStack(app, 'demo');
new ProxmoxCluster(stack, 'lab');
new ProxmoxNode(stack, 'pve1');
const web = new Machine(stack, 'web', { image: Image.fromTemplate('debian'), formerIds: ['www'] });
new Snapshot(stack, 'clean', { machine: web });
new TerraformOutput(stack, 'address', { value: web.primaryIpAddress });
const { resource, data } = JSON.parse(Testing.synth(stack, true)) as {
  resource: { null_resource: Record<string, Resource> };
  data: { external: Record<string, { query: object }> };
};

const HCL = mainTf();
/** The text of a block of the module, by its type and name. */
const blockOf = (kind: string): string =>
  new RegExp(`^resource ${kind} \\{\\n([^]*?)^\\}`, 'm').exec(HCL)?.[1] ?? '';
const keysIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, key = '']) => key).sort();

// The module's entries hold their cluster in `input`, which may change in place, and their name is their id.
const ENTRIES = ['entry'];
// The constructs give it only to a machine whose spec may be known late (test/constructs/reads-managed).
const LATE = 'PROXMOX_UNSHOWN';

describe('the module and the constructs say the same words', () => {
  test.each([
    ['the entry of a machine', 'machines_lab', '"terraform_data" "machines"'],
    ['the entry of a snapshot', 'snapshots_lab', '"terraform_data" "snapshots"'],
    ['the revision of a machine', 'machine_lab_web', '"null_resource" "machine"'],
    ['the revision of a template', 'machine_lab_web', '"null_resource" "template"'],
    ['the revision of a snapshot', 'snapshot_lab_web_clean', '"null_resource" "snapshot"'],
  ])('%s', (_, construct, kind) => {
    const { triggers, provisioner } = resource.null_resource[construct]!;
    const { command, environment } = provisioner[0]!['local-exec'];
    const block = blockOf(kind);
    expect(block).toContain(`command     = "${command}"`);
    const given = keysIn(block, /^ +(PROXMOX_\w+) += /gm).filter(key => key !== LATE);
    expect(given).toEqual(Object.keys(environment).sort());
    const said = /triggers(?:_replace)? = \{([^}]*)\}/.exec(block.replaceAll('"${', ''))?.[1] ?? '';
    expect(keysIn(said, /(\w+) +=/g)).toEqual(
      Object.keys(triggers)
        .filter(key => !ENTRIES.includes(key))
        .sort(),
    );
  });

  test('the query of the observer', () => {
    const keys = Object.keys(data.external['observe_lab']!.query);
    const [, query = ''] = /^data "external" "observe" \{\n([^]*?)^\}/m.exec(HCL) ?? [];
    for (const key of keys) {
      const word = key.replace(/\..*/, '.');
      const inCall = ['protocol', 'cluster', 'owner'].includes(word);
      expect(inCall ? HCL : query).toMatch(
        inCall ? new RegExp(`call +=.*\\b${word} =`) : new RegExp(`\\b${word}`),
      );
    }
  });
});
