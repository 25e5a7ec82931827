import { readFileSync } from 'node:fs';
import type { Sentence } from './every-message';
import { isOf } from './messages';
import type { Told } from './told';

/** An example longer than this shows less, not more. */
const LONGEST = 400;

/** What tests kept with TOLD=FILE, a message each, without what only their computer has. */
export const messagesIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .flatMap(line => (JSON.parse(line) as Told).text.split('\n'))
    .map(line => withoutPlace(line.trim()))
    .filter(line => line.length <= LONGEST && !/\/tmp\/|\/work\/|\/root\//.test(line));

const withoutPlace = (line: string): string =>
  line
    .replaceAll(/\/tmp\/[\w -]*[ -]\w{6}\//g, '/srv/web/')
    .replaceAll(/https:\/\/127\.0\.0\.1:\d+/g, 'https://192.0.2.1:8006')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://192.0.2.1:8080')
    .replaceAll(/pid \d+/g, 'pid 4711');

/** The example of a line: the shortest message that has its words, and its remedy where it has one. */
export function exampleOf({ text, remedy = '' }: Sentence, seen: readonly string[]): string | undefined {
  const all = seen.filter(said => isOf(said, text) && isOf(said, remedy) && said.length > text.length);
  return all.sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}
