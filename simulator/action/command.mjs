// What starts the simulator: a file that the job has, or a version of the package that the job names.

/** One version, by its number: a word such as latest is whatever somebody publishes next. */
const VERSION = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;
/** What a Windows shell takes as it stands. */
const PLAIN = /^[\w.,:=@~+/\\-]+$/;

/**
 * The command, its words, and whether a shell must run it. A wrong input is an error that says what to write.
 * @param {{ program: string, version: string, options: string }} inputs
 * @param {{ node: string, platform: string }} here
 */
export function commandOf({ program, version, options }, { node, platform }) {
  const words = options.split(/\s+/).filter(Boolean);
  if (program && version) throw new Error('program and version are both given: name one of them');
  if (program) return { command: node, words: [program, ...words], shell: false };
  if (!version)
    throw new Error(
      'program is missing: the file to start, such as simulator/dist/pve-simulator.cjs of a clone (npm run build makes it)',
    );
  if (!VERSION.test(version))
    throw new Error(`version: '${version}' is none; write one published version, such as 0.1.0`);
  const isWindows = platform === 'win32';
  const odd = isWindows ? words.find(word => !PLAIN.test(word)) : undefined;
  if (odd !== undefined)
    throw new Error(`options: '${odd}' cannot be handed on by the shell of Windows; name program instead`);
  const all = ['--yes', `pve-simulator@${version}`, ...words];
  // node starts a .cmd file only by a shell
  return { command: isWindows ? 'npx.cmd' : 'npx', words: all, shell: isWindows };
}
