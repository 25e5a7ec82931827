import type { Command, Options } from '../input/surroundings';
import type { FLAGS } from './flags';

/** One verb of the command line. */
export interface Verb {
  name: string;
  /** The words that may follow it, with blanks between. */
  words?: string;
  /** What they are: each of them, or all in one. */
  wordsSay?: string | readonly string[];
  /** What the first of them may be, where that is known, and what each does. */
  first?: Readonly<Record<string, string>>;
  /** Words that people of other programs write in its place. */
  meant?: Readonly<Record<string, string>>;
  /** It takes no words, and with words it is the verb of another program. */
  others?: true;
  /** How many machines may be named then; absent: none. */
  machines?: number;
  says: string;
  /** The verb that people mean who write this one by hand: Terraform calls it. */
  instead?: string;
  examples: string[];
  flags: (keyof typeof FLAGS)[];
  /** How it ends when it is interrupted and does not end by itself; absent: as a run that did not do all. */
  interrupted?: Interrupted;
  /** Loaded when it is run: a run that fails early pays for nothing else. */
  load: () => Promise<Command>;
}

/** How a verb ends that is interrupted: with this code, and not later than this, whatever it waits for. */
export interface Interrupted {
  code: number;
  withinMs: number;
  /** What it tells are lines of a log. */
  logs: true;
}

/** How a verb is told what is wanted. */
export const DESIRED = ['spec', 'manifests', 'owner', 'secrets'] as const;

/** How `status` is asked for the clusters that hosts share, and by which lease. */
export const ALL_CLUSTERS = ['allClusters', 'lease', 'leaseName'] as const;

/** Whether it is told. */
export function namesDesired(options: Options): boolean {
  return DESIRED.some(name => options[name] !== undefined);
}

/** Whether a verb is told it. */
export function namesDesiredBy({ flags }: Verb): boolean {
  return DESIRED.every(name => flags.includes(name));
}

/** The words of a line that tell what is wanted. */
export function inputsOf({ spec = [], manifests = [], owner, secrets }: Options): string[] {
  return [
    ...spec.flatMap(file => ['--spec', file]),
    ...manifests.flatMap(place => ['--manifests', place]),
    ...(owner === undefined ? [] : ['--owner', owner]),
    ...(secrets === undefined ? [] : ['--secrets', secrets]),
  ];
}
