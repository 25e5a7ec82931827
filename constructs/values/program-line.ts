import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Our own code: nobody mends his program there. */
const OURS = [path.resolve(__dirname, '..'), path.resolve(__dirname, '..', '..', 'spec')];

/** A place in a stack: its file, and its line without the column. */
const PLACE = /(?:^|[( ])((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/;

/**
 * The line of the user's own program that is being run, as `main.ts:12`: the nearest that is neither in a package nor
 * ours. Undefined where it is not known, and while a stack is synthesized: then the line says nothing of a construct.
 */
export function programLine(): string | undefined {
  const frames = stackOf();
  const at = frames.findIndex(frame => isTheirs(fileIn(frame)));
  const isSynth = frames.slice(0, at + 1).some(frame => /\bApp\.synth\b|\bTesting\.synth/.test(frame));
  const frame = frames[at];
  if (frame === undefined || isSynth) return undefined;
  const [, , line] = PLACE.exec(frame) ?? [];
  const file = fileIn(frame);
  const near = path.relative(process.cwd(), file);
  return `${near.startsWith('..') ? file : near}:${line}`;
}

/** The calls within us may be more than the ten that are kept. */
function stackOf(): string[] {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 100;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = stackTraceLimit;
  return stack.split('\n').slice(1);
}

function fileIn(frame: string): string {
  const [, file = ''] = PLACE.exec(frame) ?? [];
  return file.startsWith('file://') ? fileURLToPath(file) : file;
}

function isTheirs(file: string): boolean {
  if (file === '' || /[\\/]node_modules[\\/]/.test(file)) return false;
  return !OURS.some(folder => file.startsWith(folder + path.sep));
}
