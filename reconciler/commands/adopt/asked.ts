import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Choice } from '../../adopt/candidates';
import { FORMS } from '../../adopt/text/forms';
import type { Program } from '../../adopt/program';
import { InputError } from '../../errors';
import { onFile } from '../../input/file-text';
import { unknownWord } from '../../input/known-word';
import type { Options, Surroundings } from '../../input/surroundings';
import { clusterNamed } from '../named-cluster';

/** What the command line of `adopt` asks for. */
export interface AdoptAsked {
  choice: Choice;
  owner: string;
  cluster: string;
  /** The file that the program would overwrite. */
  overwrites?: string;
  /** Whether that file has this very program in it. */
  holds: (program: Program) => boolean;
  /** Prints the program, or writes it into the file that was named. */
  print: (program: Program) => void;
}

/** Reads the options of `adopt`; throws one error with all that is wrong with them. Nothing was sent by then. */
export function adoptAsked(options: Options, words: readonly string[], around: Surroundings): AdoptAsked {
  const { owner = 'adopted', form = options.json ? 'json' : 'typescript', out, force = false } = options;
  const cluster = clusterNamed(options, around);
  const { pool, tag, node } = options;
  const write = Object.hasOwn(FORMS, form) ? FORMS[form] : undefined;
  const faults = [...emptyFaults({ pool, tag, node }), ...choiceFaults(options, words)];
  if (write === undefined) faults.push(unknownWord('--form', form, Object.keys(FORMS)));
  // by a word that others may have too, the gc of one would take the machines of the other for its orphans
  if (options.yes === true && options.owner === undefined)
    faults.push('--yes marks the guests for their owner: name it with --owner. No guest was changed.');
  if (out !== undefined && existsSync(out) && !force)
    faults.push(`--out ${out} exists. Name another file, or give --force to overwrite it.`);
  if (faults.length > 0 || write === undefined) throw new InputError(faults.join('\n'));
  return {
    choice: { vmids: words.map(Number), pool, tag, node },
    owner,
    cluster,
    ...(out !== undefined && existsSync(out) && { overwrites: out }),
    holds: program => out !== undefined && existsSync(out) && readFileSync(out, 'utf8') === write(program),
    print: program => {
      if (out === undefined) return printed(write(program), around);
      onFile(
        () => writeFileSync(out, write(program)),
        code => `${out} cannot be written (${code}). No guest was changed. Name another file.`,
      );
      around.reporter.say('info', `The program is in ${out}. To write it again, add --force.`);
    },
  };
}

// a guest that is marked is adopted no more: nobody could print its program again
function printed(text: string, { out, isLost }: Surroundings): void {
  out(text);
  if (isLost?.() === true)
    throw new InputError('The program cannot be written. No guest was changed. Name a file with --out.');
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
