import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { closest } from '../world-file/closest';
import { UsageError } from './usage-error';

/** The options among these words, and nothing else; where one is unknown, with the one that was probably meant. */
export function parseWords<T extends NonNullable<ParseArgsConfig['options']>>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
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
