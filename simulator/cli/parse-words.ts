import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { closest } from '../world-file/closest';
import { UsageError } from './usage-error';

/** An option that takes a text, and one that takes nothing. */
export const TEXT = { type: 'string' } as const;
export const FLAG = { type: 'boolean' } as const;

type Options = NonNullable<ParseArgsConfig['options']>;

/** The options among these words, and nothing else; where one is unknown, with the one that was probably meant. */
export const parseWords = <T extends Options>(args: string[], options: T) =>
  parse(args, options, false).values;

/** The options, and the words beside them. */
export const parseWordsAndFiles = <T extends Options>(args: string[], options: T) =>
  parse(args, options, true);

function parse<T extends Options>(args: string[], options: T, allowPositionals: boolean) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals });
  } catch (error) {
    const near = closest(unknownIn(args, Object.keys(options)), Object.keys(options));
    const meant = near === undefined ? '' : ` Did you mean --${near}?`;
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}${meant}`);
  }
}

function unknownIn(args: readonly string[], known: readonly string[]): string {
  const names = args.filter(word => word.startsWith('--')).map(word => word.slice(2).replace(/=.*/s, ''));
  return names.find(name => !known.includes(name)) ?? '';
}
