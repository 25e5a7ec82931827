import { without } from '../spec/without';
import type { Json } from '../spec/said';
import type { Program } from '../program';

/**
 * Whether cdktf takes something in a text for a value of the program: its marks of strings, lists and maps, and numbers
 * in the range that stands for numbers, however they are spelled (cdktf, lib/tokens/private/encoding.js). It has no way to
 * write them as text.
 */
function isMarked(text: string): boolean {
  if (/[$#&]\{TfToken\[/.test(text)) return true;
  const numbers = text.match(/[-|\d.+]+e[-|\d.eE+]+/g) ?? [];
  return [text, ...numbers].some(number => isOfTokens(Number.parseFloat(number)));
}

function isOfTokens(number: number): boolean {
  return number < -1e280 && number > -1e300;
}

/**
 * A program without the texts that a program in TypeScript cannot say: they stay as they are, and are named. Else text
 * of others would read the secrets of whoever runs the program.
 */
export function sayable(program: Program): Program {
  const machines = program.machines.map(({ json, unmanaged, ...rest }) => {
    let said: Json = json;
    const left = [...unmanaged];
    for (let path = markedIn(said); path !== undefined; path = markedIn(said)) {
      const less: Json | undefined = without(said, path);
      const [field = ''] = path;
      // what a machine cannot be without has letters only
      said = less ?? Object.fromEntries(Object.entries(said).filter(([name]) => name !== field));
      left.push(`${path.join('.')} (cdktf would take its text for a value)`);
    }
    return { ...rest, json: said, unmanaged: left };
  });
  return { ...program, machines };
}

/** Where the first such text stands. */
function markedIn(value: unknown, at: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string' || typeof value === 'number') return isMarked(String(value)) ? at : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = isMarked(key) ? [...at, key] : markedIn(inner, [...at, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
