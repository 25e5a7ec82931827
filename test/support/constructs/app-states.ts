import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { unknownPaths } from '../../../spec';
import { programFolder, runProgram } from './program-folder';

type Json = Record<string, unknown>;

const root = path.resolve(__dirname, '..', '..', '..');

/** The programs of `examples/` and `stacks/`, by their folders. */
export const apps = [
  ...readdirSync(path.join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .filter(file => /^[^/.]+\/main\.ts$/.test(file))
    .map(file => `examples/${path.dirname(file)}`)
    .sort(),
  'stacks',
];

/** The desired states that each of them synthesizes, in the default workspace, without what only Terraform knows. One process runs them all. */
export async function statesOfApps(): Promise<Record<string, Json[]>> {
  // `cdktf-proxmox` is what a user installs: here it is the room itself
  const source = apps.map(app => {
    const out = JSON.stringify(app.replaceAll('/', '-'));
    return `process.env.CDKTF_OUTDIR = ${out}; require('./${app}/main.ts');`;
  });
  const program = await programFolder(source.join('\n'), { 'cdktf-proxmox': path.join(root, 'constructs') });
  try {
    program.putReconciler('');
    const { status, stderr } = runProgram(program.folder);
    if (status !== 0) throw new Error(stderr);
    return Object.fromEntries(
      apps.map(app => [app, statesIn(path.join(program.folder, app.replaceAll('/', '-')))]),
    );
  } finally {
    program.close();
  }
}

function statesIn(folder: string): Json[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter(file => /\/proxmox\/[^/]+\.json$/.test(file))
    .map(file => {
      const text = readFileSync(path.join(folder, file), 'utf8').replaceAll(
        '${terraform.workspace}',
        'default',
      );
      const state = JSON.parse(text) as Json;
      return { ...state, machines: (state['machines'] as Json[]).map(known) };
    });
}

function known(machine: Json): Json {
  const unknown = new Set(unknownPaths(machine).map(({ path: [field] }) => field));
  return Object.fromEntries(Object.entries(machine).filter(([field]) => !unknown.has(field)));
}
