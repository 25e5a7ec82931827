import { record } from '../record/record';
import { replay } from '../replay/replay';
import { endWith } from './end-with';
import { health } from './health';
import type { VerbLine } from './usage';

/** What the program does besides being a cluster. `run` gives the exit code. */
export interface Verb extends VerbLine {
  run(words: string[], env: NodeJS.ProcessEnv): Promise<number>;
}

/** A proxy goes on until the process is asked to end. */
async function recordUntilEnded(words: string[]): Promise<number> {
  const end = await record(words);
  if (end) endWith(end, 'SIGHUP');
  return 0;
}

export const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['health', { call: 'health [URL]', says: 'say whether a simulator answers there: 0 or 1', run: health }],
  [
    'record',
    {
      call: 'record …',
      says: 'a world or a scenario of a real cluster (record --help)',
      run: recordUntilEnded,
    },
  ],
  [
    'replay',
    { call: 'replay …', says: 'play scenarios, and say how the answers differ (replay --help)', run: replay },
  ],
]);
