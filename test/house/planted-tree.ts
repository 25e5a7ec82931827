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
  /^(package|tsconfig|knip|\.prettier|\.dependency-cruiser|eslint\.config|jest\.config|\.editorconfig)/.test(
    name,
  ),
);

/** A folder of its own with our configuration, our packages and these files; its name holds a space. */
export function plantTree(files: Readonly<Record<string, string>>): string {
  const tree = mkdtempSync(join(tmpdir(), 'the house '));
  for (const name of [...configuration, 'scripts/lint-report.mjs'])
    cpSync(join(root, name), join(tree, name));
  writeFileSync(join(tree, '.prettierignore'), 'knip.json\n');
  // Which packages a few stubs use says nothing.
  const knip = JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8'));
  writeFileSync(join(tree, 'knip.json'), JSON.stringify({ ...knip, ignoreDependencies: ['.*'] }));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}

/** A folder of its own with what a build of ours reads, and our packages; its name holds a space. */
export function copyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'the house '));
  const parts = ['spec', 'constructs', 'reconciler', 'simulator', 'scripts', 'schema'];
  const papers = ['package-lock.json', 'README.md', 'LICENSE', 'CHANGELOG.md'];
  for (const name of [...parts, ...papers, ...configuration]) {
    if (existsSync(join(root, name))) cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

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
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
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
  run(tree, process.execPath, join(root, 'scripts', 'check.mjs'), ...checks);
