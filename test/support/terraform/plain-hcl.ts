import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deployment, type Deployment, type DeploymentOptions } from './deployment';
import type { Engine } from './engines';

const program = path.resolve(__dirname, '..', '..', '..', 'dist', 'reconciler.cjs');

/** Plain HCL beside our module, in `./proxmox`, on a simulated cluster. */
export interface PlainHcl extends Deployment {
  /** Writes the whole configuration. */
  write: (hcl: string) => void;
  /** Removes a file of the folder. */
  remove: (file: string) => void;
  /** Writes the variable `machines` of the configuration. */
  ask: (machines: Record<string, unknown>) => void;
}

/** A folder with the module in it, whose configuration is still to be written. */
export async function plainHcl(engine: Engine, options: DeploymentOptions = {}): Promise<PlainHcl> {
  const lab = await deployment(engine, options);
  mkdirSync(lab.folder, { recursive: true });
  execFileSync('node', [program, 'module', 'proxmox', '--quiet'], { cwd: lab.folder });
  return {
    ...lab,
    write: hcl => lab.put('main.tf', hcl),
    remove: file => rmSync(path.join(lab.folder, file), { recursive: true }),
    ask: machines => lab.put('machines.auto.tfvars.json', JSON.stringify({ machines })),
  };
}
