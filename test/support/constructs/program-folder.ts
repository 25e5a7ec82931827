import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(__dirname, '..', '..', '..');

const RECONCILER = ['reconciler.cjs', 'reconciler-program.cjs'];

/** A program with our constructs in it, compiled into a folder of its own as `dist/constructs/private/app.cjs`. */
export async function programFolder(source: string, alias: Record<string, string> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'program-'));
  const file = path.join(folder, 'dist', 'constructs', 'private', 'app.cjs');
  await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    alias,
    external: ['cdktf', 'cdktf/*', 'constructs', '@cdktf/provider-null', '@cdktf/provider-null/*'],
    logLevel: 'error',
  });
  return {
    folder,
    /** Puts something where the package has its reconciler. */
    putReconciler: (text: string): void =>
      RECONCILER.forEach(name => writeFileSync(path.join(folder, 'dist', name), text)),
    /** The same program in another folder, as another checkout has it. */
    copyTo: (place: string): string => {
      const copy = path.join(folder, place, 'dist', 'constructs', 'private', 'app.cjs');
      mkdirSync(path.dirname(copy), { recursive: true });
      copyFileSync(file, copy);
      RECONCILER.forEach(name =>
        copyFileSync(path.join(folder, 'dist', name), path.join(folder, place, 'dist', name)),
      );
      return path.join(folder, place);
    },
    close: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs the program of a folder, there unless a place is given. */
export function runProgram(folder: string, env: NodeJS.ProcessEnv = {}, cwd = folder) {
  const program = path.join(folder, 'dist', 'constructs', 'private', 'app.cjs');
  const { status, stderr } = spawnSync(process.execPath, [program], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_PATH: path.join(root, 'node_modules'), ...env },
  });
  return { status, stderr };
}

/** Every file of a folder with its bytes. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  return Object.fromEntries(
    names
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map(file => [path.relative(folder, file), readFileSync(file, 'base64')] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
