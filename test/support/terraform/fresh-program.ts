import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A program of somebody else, that says in each line something which the types or the outputs must know. */
const main = `
import { App, LocalBackend, TerraformOutput, TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type MachineProps } from 'cdktf-proxmox';
import { SPEC_VERSION, type MachineSpec } from 'cdktf-proxmox/spec';

const app = new App();
const stack = new TerraformStack(app, 'fresh');
new LocalBackend(stack, { path: 'terraform.tfstate' });
new ProxmoxCluster(stack, 'lab');
const small: MachineProps = { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' };
const database = new Machine(stack, 'database', small);
new Machine(stack, 'web', { ...small, description: \`Its database is "\${database.nodeName}".\` });
const vmid: number = database.vmid;
new TerraformOutput(stack, 'vmid', { value: vmid });
// @ts-expect-error -- the types are there: a wrong field is seen
export const cores: unknown = database.coers;
export type Name = MachineSpec['name'];
export const version: 1 = SPEC_VERSION;
app.synth();
`;

const tsconfig = JSON.stringify({
  compilerOptions: {
    ...{ target: 'es2022', module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    ...{ types: [], outDir: 'out' },
  },
  include: ['*.ts'],
});

/** The first block of a page of ours in TypeScript. */
export function shownIn(page: string): string {
  const text = readFileSync(path.resolve(__dirname, '..', '..', '..', page), 'utf8');
  return /^```ts\n([^]*?)^```$/m.exec(text)?.[1] ?? '';
}

/** The files of an app: `main.ts`, the program of the README, and how both are compiled. */
export const files = { 'main.ts': main, 'readme.ts': shownIn('README.md'), 'tsconfig.json': tsconfig };
