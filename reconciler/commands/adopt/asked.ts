import type { Choice } from '../../adopt/candidates';
import { InputError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { clusterNamed } from '../named-cluster';
import { targetOf, type Target } from './written';

/** What the command line of `adopt` asks for. */
export interface AdoptAsked extends Target {
  choice: Choice;
  owner: string;
  cluster: string;
}

/** Reads the options of `adopt`; throws one error with all that is wrong with them. Nothing was sent by then. */
export function adoptAsked(options: Options, words: readonly string[], around: Surroundings): AdoptAsked {
  const { owner = 'adopted' } = options;
  const cluster = clusterNamed(options, around);
  const { pool, tag, node } = options;
  const faults = [...emptyFaults({ pool, tag, node }), ...choiceFaults(options, words)];
  const targetFaults: string[] = [];
  const target = targetOf(options, around, targetFaults);
  // by a word that others may have too, the gc of one would take the machines of the other for its orphans
  if (options.yes === true && options.owner === undefined)
    faults.push('--yes marks the guests for their owner: name it with --owner. No guest was changed.');
  faults.push(...targetFaults);
  if (faults.length > 0) throw new InputError(faults.join('\n'));
  return { choice: { vmids: words.map(Number), pool, tag, node }, owner, cluster, ...target };
}

/** An empty variable in a script: it would choose nothing, or all. */
function emptyFaults(given: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(given)
    .filter(([, name]) => name?.trim() === '')
    .map(([option]) => `--${option} is empty: give a name, or leave it out.`);
}

function choiceFaults(options: Options, words: readonly string[]): string[] {
  const { all, pool, tag, node, fromState } = options;
  const isFiltered = (pool ?? tag ?? node) !== undefined;
  if (fromState !== undefined)
    return words.length > 0 || all === true || isFiltered
      ? ['--from-state says which guests: give no numbers, and none of --all, --pool, --tag and --node.']
      : [];
  const wrong = words.filter(word => !/^[1-9]\d{2,8}$/.test(word));
  return [
    ...wrong.map(word => `'${word}' is no number of a guest; allowed: 100 to 999999999.`),
    ...(words.length > 0 && (all === true || isFiltered)
      ? ['Name guests by their numbers, or all of them by --all, --pool, --tag and --node: not both.']
      : []),
    ...(words.length === 0 && all !== true && !isFiltered
      ? [
          'Say which guests: their numbers, such as "adopt 100 101", or --all, --pool, --tag, --node or --from-state.',
        ]
      : []),
  ];
}
