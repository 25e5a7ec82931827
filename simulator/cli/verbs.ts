import { health } from './health';
import type { VerbLine } from './usage';

/** What the program does besides being a cluster. `run` gives the exit code. */
export interface Verb extends VerbLine {
  run(words: string[], env: NodeJS.ProcessEnv): Promise<number>;
}

export const VERBS: ReadonlyMap<string, Verb> = new Map([
  ['health', { call: 'health [URL]', says: 'say whether a simulator answers there: 0 or 1', run: health }],
]);
