import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cdktnSources, makeCdktnPackage } from './cdktn-package.mjs';
import { at, root } from './root.mjs';
import { SetUpError } from './say.mjs';
import { makeSimulatorPackage, simulatorSources, typesOfSimulator } from './simulator-package.mjs';
import { hashOf } from './step.mjs';

const rooms = ['spec', 'constructs', 'reconciler', 'simulator'];
const COMPILER = 'node_modules/typescript/bin/tsc';
const made = ['dist', 'simulator/dist'];
const recipe = ['scripts/setup/build.mjs', 'scripts/bundled', 'package.json', 'package-lock.json'];
/** Each program, and where it begins. The first is a client of the second, which holds all the rest. */
const programs = {
  reconciler: 'reconciler/cli.ts',
  'reconciler-program': 'reconciler/program.ts',
  simulator: 'simulator/cli.ts',
};

/** Each program as one file, and the library as others import it, in dist; the packages for cdktn and of the simulator beside. @type {import('./step.mjs').Step} */
export const build = {
  name: 'build',
  says: 'the programs and the library, a few seconds',
  key: () =>
    hashOf([
      ...rooms,
      ...recipe,
      ...cdktnSources,
      ...simulatorSources,
      'tsconfig.json',
      'tsconfig.build.json',
    ]),
  outputs: () => made.map(folder => at(folder)),
  made: () => hashOf(made),
  run: async () => {
    if (!existsSync(at(COMPILER)))
      throw new SetUpError('the packages are not installed: run npm run setup, then the same command again.');
    const [out, simulator] = [at('.setup', 'build'), at('.setup', 'build-simulator')];
    for (const folder of [out, simulator]) rmSync(folder, { recursive: true, force: true });
    const types = path.join(simulator, 'all-types');
    const compiled = await Promise.all([
      compile('tsconfig.build.json', out),
      compile(typesOfSimulator, types),
    ]);
    if (compiled.includes(false))
      throw new SetUpError('the library does not compile: mend each line named above.');
    await buildPrograms(out);
    makeSimulatorPackage(types, path.join(out, 'simulator.cjs'), simulator);
    makeCdktnPackage(out);
    put(simulator, at('simulator', 'dist'));
    put(out, at('dist'));
  },
};

/** @param {string} project @param {string} out @returns {Promise<boolean>} */
function compile(project, out) {
  const args = [COMPILER, '-p', project, '--outDir', out];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  return new Promise(resolve => child.on('close', code => resolve(code === 0)));
}

/** Puts a folder into the place of another at once, so that another process never sees half a build. @param {string} from @param {string} to */
function put(from, to) {
  const old = at('.setup', 'build-old');
  rmSync(old, { recursive: true, force: true });
  if (existsSync(to)) renameSync(to, old);
  renameSync(from, to);
  rmSync(old, { recursive: true, force: true });
}

/** Leaves out files of undici and pg that nothing here asks for. @type {import('esbuild').Plugin} */
const lessOfOthers = {
  name: 'less-of-others',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/(?:client-h2\.js|formdata-parser|native)$/ }, ({ importer }) =>
      /node_modules\/(?:undici|pg)\//.test(importer)
        ? { path: at('scripts/bundled/left-out.cjs') }
        : undefined,
    ),
};

/** @param {string} out */
async function buildPrograms(out) {
  const esbuild = await import('esbuild');
  const { outputFiles, metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: programs,
    outdir: out,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    legalComments: 'none',
    // A start reads the whole file, and the package is small; names stay, so that a stack can be read.
    minifyWhitespace: true,
    minifySyntax: true,
    // publint takes Proxmox's text "cannot import from '…'" for a module, unless a line says what this is.
    footer: { js: 'module.exports ??= {};' },
    alias: { undici: './scripts/bundled/undici-pool.cjs' },
    plugins: [lessOfOthers],
    // pg would go that way where it is set
    define: { 'process.env.NODE_PG_FORCE_NATIVE': '""' },
    // A path outside of the clone would make two clones differ by a byte.
    preserveSymlinks: true,
    metafile: true,
    write: false,
  });
  for (const { path: file, text } of outputFiles) {
    const inputs = Object.keys(metafile.outputs[path.relative(root, file)]?.inputs ?? {});
    const inside = inputs.flatMap(input => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
    const notices = [...new Set(inside)].sort().map(noticeIn);
    const whole = text + notices.join('');
    const isBig = path.basename(file) === 'reconciler-program.cjs';
    if (isBig) refuseWideLetters(text);
    writeFileSync(file, whole, { mode: 0o755 });
  }
}

/** One letter that needs two bytes makes Node hold, and read, all of a program so. @param {string} text */
function refuseWideLetters(text) {
  const wide = /.{0,30}[^\0-\xff]/.exec(text)?.[0];
  if (wide !== undefined) throw new SetUpError(`write the last letter of ${wide} as \\u and four digits.`);
}

/** The licence of a package inside a program, as a comment: the file travels alone. @param {string} folder */
function noticeIn(folder) {
  const { name, version } = JSON.parse(readFileSync(at(folder, 'package.json'), 'utf8'));
  const text = licenceIn(folder);
  if (text === undefined) throw new Error(`${name} has no licence text: do not bundle it`);
  const inside = inOneByteLetters(text.trim()).replaceAll('*/', '* /');
  return `\n/* This file contains ${name} ${version}:\n\n${inside}\n*/\n`;
}

/** Nobody here may write a licence otherwise: its wide letters become the nearest ones, or "?". @param {string} text */
function inOneByteLetters(text) {
  const plain = text.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'").replace(/[–—]/g, '-');
  return plain.replace(/[^\0-\xff]/gu, letter => {
    const near = letter.normalize('NFKD').replace(/\p{M}/gu, '');
    return /^[\0-\xff]*$/.test(near) ? near : '?';
  });
}

/** Its file, or where it has none the last part of its README. @param {string} folder @returns {string | undefined} */
function licenceIn(folder) {
  const files = readdirSync(at(folder));
  const own = files.find(entry => /^licen[cs]e/i.test(entry));
  if (own !== undefined) return readFileSync(at(folder, own), 'utf8');
  const readme = files.find(entry => /^readme/i.test(entry));
  const text = readme === undefined ? '' : readFileSync(at(folder, readme), 'utf8');
  return /^#+ *licen[cs]e\s+([\s\S]+)$/im.exec(text)?.[1];
}
