import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..', '..');
const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};

/** What a user of the package brings; our own versions, so that npm finds them in its cache. */
export const peers = Object.fromEntries(
  ['cdktf', 'constructs', '@cdktf/provider-null'].map(name => [name, devDependencies[name] ?? '']),
);

export interface Ran {
  code: number;
  /** Both streams. */
  text: string;
}

/** Runs a program to its end. */
export function runIn(cwd: string, command: readonly string[], env = process.env): Promise<Ran> {
  const [program = '', ...args] = command;
  return new Promise(resolve => {
    execFile(program, args, { cwd, env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, text: `${stdout}${stderr}` });
    });
  });
}

/** Why the npm registry does not serve a version of a package; undefined where it does. */
export function whyNotServed(asked: string): string | undefined {
  const { status, stderr } = spawnSync('npm', ['view', asked, 'version'], { encoding: 'utf8' });
  return status === 0 ? undefined : `the registry does not serve ${asked}: ${stderr.split('\n')[0]}`;
}

/** Where the package for cdktn is, once it is built. */
export const CDKTN_PACKAGE = path.join(root, 'dist', 'cdktn-proxmox');

/** The tarball that `npm run release` made, where RELEASED_IN names its folder: then it is tried in place of the tree. */
function releasedFile(name: string): string | undefined {
  const folder = process.env['RELEASED_IN'];
  if (folder === undefined) return undefined;
  const file = readdirSync(folder).find(each => each.startsWith(`${name}-`) && each.endsWith('.tgz'));
  if (file === undefined) throw new Error(`RELEASED_IN=${folder} holds no tarball of ${name}`);
  return path.join(folder, file);
}

/** An app of somebody else, in a folder of its own, with a package of ours installed in it as npm packs it. */
export async function freshApp(manifest: object, files: Readonly<Record<string, string>>, packed = root) {
  const folder = mkdtempSync(path.join(tmpdir(), 'a fresh app '));
  const must = async (...command: string[]): Promise<void> => {
    const ran = await runIn(folder, command);
    if (ran.code !== 0) throw new Error(`${command.join(' ')} failed: ${ran.text}`);
  };
  const { name, version } = JSON.parse(readFileSync(path.join(packed, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const made = releasedFile(name);
  if (made === undefined) await must('npm', 'pack', packed, '--ignore-scripts', '--silent');
  else copyFileSync(made, path.join(folder, path.basename(made)));
  const ours = { [name]: `file:${made === undefined ? `${name}-${version}.tgz` : path.basename(made)}` };
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  const { dependencies = {}, ...rest } = manifest as { dependencies?: Record<string, string> };
  const text = JSON.stringify({ private: true, ...rest, dependencies: { ...dependencies, ...ours } });
  writeFileSync(path.join(folder, 'package.json'), text);
  await must('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts');
  return {
    folder,
    run: (...command: string[]) => runIn(folder, command),
    /** Compiles main.ts strictly, without passing over the types of packages. */
    compile: (...options: string[]) =>
      runIn(folder, [
        process.execPath,
        path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
        ...options,
      ]),
    close: (): void => rmSync(folder, { recursive: true, force: true }),
  };
}
