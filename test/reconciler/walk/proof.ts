import { shownBy } from './named-test';

/** What shows that a field works. */
export type Proof =
  /** Results that must all differ: the field alone is changed between them. */
  | { differ: () => readonly unknown[] | Promise<readonly unknown[]> }
  /** What is said to it: a sentence that names it, or what it is a part of. */
  | { refused: () => string | Promise<string>; naming?: string }
  /** `e2e/mode › its name`: a test whose own body speaks of the field, where only processes can show it. */
  | { test: string };

/** Runs a proof, and gives what was seen. Throws where it shows nothing. */
export async function seenBy(field: string, proof: Proof): Promise<string> {
  const word = lastWord(field);
  if ('test' in proof) return shownBy(proof.test, word);
  if ('refused' in proof) {
    const said = await proof.refused();
    if (said.includes(proof.naming ?? word)) return `refused: ${short(said)}`;
    throw new Error(`${field} is not refused by a sentence that names it, but: ${said || 'nothing is said'}`);
  }
  const results = (await proof.differ()).map(result => result ?? null);
  const distinct = new Set(results.map(result => JSON.stringify(result)));
  if (results.length > 1 && distinct.size === results.length) return difference(results[0], results[1]);
  throw new Error(`${field} changes nothing: ${short(JSON.stringify(results))}`);
}

/** `disks[].onRemove` is `onRemove`, `usb[]` is `usb`, `-o, --output` is `output`. */
function lastWord(field: string): string {
  const [word = field] = /[\w-]+(?=(?:\[\])?$)/.exec(field) ?? [];
  return word.replace(/^-+/, '');
}

/** The first place where two results differ, and both values there. */
function difference(one: unknown, other: unknown, at = ''): string {
  if (isObject(one) && isObject(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    const name = names.find(each => JSON.stringify(one[each]) !== JSON.stringify(other[each])) ?? '';
    return difference(one[name], other[name], at === '' ? name : `${at}.${name}`);
  }
  const [left = 'nothing', right = 'nothing'] = [one, other].map(value => JSON.stringify(value));
  const same = [...left].findIndex((letter, index) => letter !== right[index]);
  const from = Math.max(0, same - 30);
  const shown = [left, right].map(text => (from === 0 ? '' : '…') + short(text.slice(from))).join(' → ');
  return at === '' ? shown : `${at}: ${shown}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function short(text: string): string {
  const line = text.replaceAll('\n', ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
