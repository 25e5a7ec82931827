import type { Options } from '../../input/surroundings';

/** How a run was told what is wanted, as the words of another command. */
export function givenWords({ spec = [], manifests = [], owner, secrets }: Options): string[] {
  return [
    ...spec.flatMap(file => ['--spec', file]),
    ...manifests.flatMap(place => ['--manifests', place]),
    ...(owner === undefined ? [] : ['--owner', owner]),
    ...(secrets === undefined ? [] : ['--secrets', secrets]),
  ];
}

/** The command that removes what a source wrote and nobody wants any more. */
export function gcCommand(source: string, options: Options): string {
  const words = ['gc', '--yes', '--source', source, ...givenWords(options)];
  return ['pve-reconciler', ...words.map(shellWord)].join(' ');
}

/** A word as a shell reads it, whoever wrote it: nothing in it is run or taken apart. */
export function shellWord(word: string): string {
  // the signs that mean nothing to a shell; `~` and `*` are not among them
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
