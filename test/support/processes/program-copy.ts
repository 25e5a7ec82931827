import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startFrom, type Running } from './cli';

/** A copy of the built program that tells how it was begun. `worker`: what a worker does in place of its work. */
export function programCopy(worker?: string) {
  const folder = mkdtempSync('/tmp/version-');
  const at = (name: string): string => path.join(folder, name);
  cpSync(path.join(process.cwd(), 'dist'), folder, { recursive: true });
  const program = readFileSync(at('reconciler-program.cjs'), 'utf8');
  const notes = `require('node:fs').appendFileSync(${JSON.stringify(at('begun'))}, isWorker ? 'w' : 'a');`;
  const instead =
    worker === undefined ? '' : `if (isWorker) { ${worker}; exports.serve = () => undefined; return; }`;
  writeFileSync(
    at('reconciler-program.cjs'),
    `const isWorker = process.argv[2] === 'worker'; ${notes} ${instead}\n${program}`,
  );
  return {
    start: (args: string[], env: Record<string, string>): Running =>
      startFrom(at('reconciler.cjs'), args, env),
    /** How many workers were started so far, and how many clients did their job alone. */
    begun: () => {
      const letters = existsSync(at('begun')) ? readFileSync(at('begun'), 'utf8') : '';
      return { workers: letters.split('w').length - 1, alone: letters.split('a').length - 1 };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
