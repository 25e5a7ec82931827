import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const root = join(__dirname, '..', '..');

const configuration = readdirSync(root).filter(name =>
  /^(package|tsconfig|knip|jest\.config|eslint\.config|\.prettier|\.dependency-cruiser|\.npmrc)/.test(name),
);
/** What `npm run check` runs with; the stamp says that the packages are in place. */
const checking = [
  'scripts/check.mjs',
  'scripts/checks.mjs',
  'scripts/setup',
  'scripts/engine',
  'scripts/lint-report.mjs',
  'test/support/jest',
  '.setup/stamps/dependencies',
];
/** What `npm run build` and `npm pack` read. */
const building = [
  ...['spec', 'constructs', 'reconciler', 'simulator', 'scripts', 'schema'],
  ...['README.md', 'LICENSE', 'CHANGELOG.md', 'releases.json', 'kubernetes'],
];

/** A folder of its own, a space in its name, with these parts of ours. */
function copyOf(parts: readonly string[]): string {
  const tree = mkdtempSync(join(tmpdir(), 'the house '));
  for (const name of [...configuration, ...parts]) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  // A link for each package: whoever cleans this folder removes links and no package of ours.
  mkdirSync(join(tree, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    symlinkSync(join(root, 'node_modules', name), join(tree, 'node_modules', name));
  }
  return tree;
}

/** Our configuration and our checks over these files alone. */
export function plantTree(files: Readonly<Record<string, string>>): string {
  const tree = copyOf(checking);
  // Which packages a few stubs use, and which exports a part of our scripts, says nothing.
  const knip = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'));
  const house = knip.workspaces['.'];
  // the simulator of the tree has no package of its own
  const entry = [...house.entry, 'simulator/{index,cli}.ts', 'scripts/**/*.mjs'];
  const lenient = { ...knip, workspaces: { '.': { ...house, entry } }, ignoreDependencies: ['.*'] };
  writeFileSync(join(tree, 'knip.json'), JSON.stringify(lenient));
  writeFileSync(join(tree, '.prettierignore'), 'knip.json\npackage-lock.json\n');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}

/** Our sources, to be built and packed; with what else is named. */
export const copyTree = (...more: string[]) => copyOf([...building, ...more]);

export const removeTree = (tree: string) => rmSync(tree, { recursive: true });

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams, as they came. */
  readonly output: string;
}

/** Runs a program in `folder` and waits for its end. */
export function run(folder: string, program: string, ...args: string[]): Promise<Ran> {
  return new Promise((resolve, reject) => {
    // a colour terminal would put colours into what the tests read
    const { FORCE_COLOR: _, ...env } = process.env;
    const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      output += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject);
    child.on('close', code => resolve({ code, stdout, output }));
  });
}

/** What `npm run check` runs, on `tree`. */
export const runChecks = (tree: string, ...checks: string[]) =>
  run(tree, process.execPath, 'scripts/check.mjs', ...checks);
