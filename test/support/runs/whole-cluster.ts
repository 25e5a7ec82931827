import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Simulator } from '../../../simulator';
import type { World } from '../../../simulator/world';
import { runLine, type Ran } from '../../reconciler/walk/live';
import { labWorld } from '../cluster/lab';
import { openCluster, type OpenCluster } from '../cluster/open-cluster';
import { programAccess } from '../cluster/program-access';
import { programFolder, runProgram } from '../constructs/program-folder';
import { tenHands } from '../random/ten-hands';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const FIRST = 1_000;

/** A cluster of so many machines that ten people made, each with a way of his own. */
export async function clusterOfTenHands(count: number): Promise<OpenCluster> {
  const world: World = labWorld();
  world.guests = {};
  world.volumes = world.volumes.filter(({ vmid }) => vmid === undefined);
  const cluster = await openCluster({ world, taskMs: 0, timeScale: 5 });
  await tenHands(cluster, { seed: 7, count, first: FIRST });
  cluster.breaks(/./);
  cluster.simulator.ledger.reset();
  return cluster;
}

/** Adopts all guests of a cluster into a folder. */
export function adoptInto(folder: string, simulator: Simulator, ...more: string[]): Promise<Ran> {
  const line = ['adopt', '--all', '--owner', 'team/lab', '--cluster', 'lab', '--out', `${folder}/`, ...more];
  return runLine(line, programAccess(simulator));
}

/** A folder in the repository, for programs that import its constructs. */
export function folderForProgram() {
  const folder = mkdtempSync(path.join(ROOT, '.adopted-'));
  return {
    folder,
    /** Its files of TypeScript, by name. */
    files: (): Record<string, string> =>
      Object.fromEntries(
        readdirSync(folder)
          .filter(name => name.endsWith('.ts'))
          .map(name => [name, readFileSync(path.join(folder, name), 'utf8')]),
      ),
    remove: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What TypeScript, prettier and eslint find in the program of a folder; nothing where it is sound. */
export function programFaults(folder: string): string {
  const put = (name: string, content: unknown): void =>
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  put('tsconfig.json', {
    extends: '../tsconfig.json',
    compilerOptions: { noEmit: true, paths: { 'cdktf-proxmox': ['../constructs'] } },
    include: ['*.ts'],
  });
  put('prettierrc.json', { singleQuote: true, printWidth: 110, arrowParens: 'avoid' });
  put(
    'eslint.config.cjs',
    `const tseslint = require('typescript-eslint');
module.exports = [...tseslint.configs.recommended, { linterOptions: { reportUnusedDisableDirectives: true } }];`,
  );
  const found = [
    ['tsc', '-p', folder],
    ['prettier', '--config', path.join(folder, 'prettierrc.json'), '--check', path.join(folder, '*.ts')],
    ['eslint', '--no-ignore', '-c', path.join(folder, 'eslint.config.cjs'), path.join(folder, '*.ts')],
  ].map(([tool = '', ...args]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(ROOT, 'node_modules', '.bin', tool), ...args],
      { cwd: ROOT, encoding: 'utf8' },
    );
    return status === 0 ? '' : `${tool}: ${stdout}${stderr}`;
  });
  return found.join('');
}

/** Synthesizes the program of a folder and plans what it says. */
export async function planOfFolder(folder: string, simulator: Simulator): Promise<Ran> {
  const program = await programFolder(`import './${path.basename(folder)}/main';`, {
    'cdktf-proxmox': path.join(ROOT, 'constructs', 'index.ts'),
  });
  try {
    program.putReconciler('// a reconciler');
    const { status, stderr } = runProgram(program.folder);
    if (status !== 0) throw new Error(stderr);
    const stack = path.join(program.folder, 'cdktf.out', 'stacks', 'lab');
    return await runLine(['plan', '--check', '--spec', stack], programAccess(simulator));
  } finally {
    program.close();
  }
}

/** How often each kind of request was made. */
export function requestsOf({ ledger }: Simulator): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path: asked } of ledger.entries()) {
    const kind = `${method} ${asked.replace(/\/nodes\/\w+/, '').replace(/\/qemu\/\d+/, '/guest')}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}
