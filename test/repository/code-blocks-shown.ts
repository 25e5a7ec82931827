/** Blocks that no program reads here, by their first line, each with the reason. */
export const SHOWN: Readonly<Record<string, string>> = {
  'your TypeScript            Terraform, OpenTofu                   Proxmox VE': 'a drawing',
  'machines/web.yaml:14:5: VirtualMachine web: spec.cpu.cores: 200 is too large; allowed: a whole number from 1 to 128. Lower it to 128 or less.':
    'a message; test/reconciler/manifests has its words',
  '# job "plan"': 'two jobs of any CI system; test/e2e/terraform/remote-run.test.ts does what they do',
  '- old: destroy, VM 10003 on pve2': 'a review; test/e2e/review checks its words',
  '! The apply will fail: it refuses to destroy db. Terraform destroys others before it fails: old. Not reached, so nothing is done to them: new, web.':
    'a line of a review; test/e2e/review checks its words',
  'cdktf.out/stacks/web/': 'a list of files; test/constructs checks them',
  '[Service]': 'a part of a unit; test/repository/operations-pages.test.ts has systemd read it',
  'permissions:':
    'a job of GitHub; test/e2e/review/action.test.ts runs the action, test/repository/workflows.test.ts reads workflows',
  'apiVersion: v1':
    'resources of Kubernetes; test/e2e/kubernetes/definitions.test.ts asks a server whether it takes them',
  'KINDS=$(kubectl api-resources --api-group=infra.virtrigaud.io -o name | paste -sd, -)':
    'lines for kubectl and jq; test/e2e/kubernetes/from-operators.test.ts runs them',
  'CLUSTER  MACHINES  STANDS  KEPT BY               HOST SINCE            LAST HEARD':
    'two tables; test/e2e/lease/status-all.test.ts checks their heads and cells',
  'DELETE FROM pve_reconciler_desired AS old':
    'a statement for PostgreSQL; test/e2e/stored/old-versions.test.ts runs it, also while somebody puts',
  'from proxmoxer import ProxmoxAPI': 'test/contract runs proxmoxer against the simulator',
};

/** What stands around a part of a program, by the first line of the part. */
export const AROUND: Readonly<Record<string, (part: string) => string>> = {
  "stack.addOverride('removed', [": part =>
    `import { App, TerraformStack } from 'cdktf';\nconst stack = new TerraformStack(new App(), 'x');\n${part}`,
  "const db = new ExistingMachine(stack, 'db', { name: 'legacy-db' }); // or vmid, or tag, or several of them":
    part =>
      `import { App, TerraformOutput, TerraformStack } from 'cdktf';
import { ExistingMachine, ExistingMachines, Image, Machine, ProxmoxCluster } from 'cdktf-proxmox';
const stack = new TerraformStack(new App(), 'x');
new ProxmoxCluster(stack, 'lab');
const image = Image.fromTemplate('debian-12');
${part}`,
  "const disk = Fn.lookupNested(web.disks, ['root', 'volume']); // also slot, and size in bytes": part =>
    `import { App, Fn, TerraformOutput, TerraformStack } from 'cdktf';
import type { Machine } from 'cdktf-proxmox';
declare const web: Machine;
const stack = new TerraformStack(new App(), 'x');
${part}`,
  'export class WebTier extends Construct {': part =>
    `import { Construct } from 'constructs';
import { Machine, type Image } from 'cdktf-proxmox';
${part}`,
  'const app = Testing.app({ stubVersion: false });': part =>
    `import { TerraformStack, Testing } from 'cdktf';
import { Image, Machine, ProxmoxCluster } from 'cdktf-proxmox';
declare function expect(value: unknown): { toMatchObject(part: object): void; toPlanSuccessfully(): void };
${part}`,
  "const golden = new PreparedImage(this, 'golden', { url, checksum, diskStorage: 'local-lvm' });": part =>
    `import { TerraformStack } from 'cdktf';
import { Machine, PreparedImage } from 'cdktf-proxmox';
declare const url: string, checksum: string;
export class Stack extends TerraformStack { more(): void { ${part} } }`,
  "new CloudBackend(stack, { organization: 'your-org', workspaces: new NamedCloudWorkspace('web') });":
    part =>
      `import { App, CloudBackend, NamedCloudWorkspace, TerraformStack } from 'cdktf';
import { ProxmoxCluster } from 'cdktf-proxmox';
const stack = new TerraformStack(new App(), 'x');
${part}`,
  '$ pve-reconciler adopt --all --owner web/lab/default --cluster lab --yes': part =>
    part.slice(part.indexOf('import '), part.indexOf('app.synth();')),
  'images:': part =>
    `version: 1\nowner: me\ncluster: { name: lab }\n${part.replace('…/', 'example.com/').replace('sha256:…', `sha256:${'0'.repeat(64)}`)}`,
  'labels: { app: shop }': part =>
    `version: 1\nowner: me\ncluster: { name: lab }\nmachines:\n  - id: web\n${part.replaceAll(/^/gm, '    ')}`,
};

/** Programs whose words are not read here, each with the reason. */
export const OTHERS: Readonly<Record<string, string>> = {
  terraform: 'Terraform',
  cdktf: 'CDKTF; test/e2e/apps runs it',
  docker: 'Docker',
  helm: 'Helm; test/e2e/kubernetes runs it',
  kubectl: 'Kubernetes; test/e2e/kubernetes runs it',
  pveum: 'Proxmox',
  systemctl: 'systemd',
  cd: 'the shell',
  export: 'the shell',
  pulumi: 'Pulumi',
  install: 'coreutils',
  scp: 'OpenSSH',
  'npm test': 'what runs this',
  'npm pack': 'test/repository/package.test.ts',
  'npm install': 'test/e2e/apps/npm-package.test.ts',
  'node dist/simulator.cjs': 'test/e2e/docs',
};
