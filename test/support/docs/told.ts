import { appendFileSync } from 'node:fs';

/** What the program said in a test: the text, and of an error the words that programs know it by. */
export interface Told {
  text: string;
  words: string[];
}

/** With TOLD=FILE it is kept there; the examples of docs/messages.md are taken from such a file. */
export function keepTold(told: Told): void {
  const { TOLD: file } = process.env;
  if (file !== undefined && told.text !== '') appendFileSync(file, `${JSON.stringify(told)}\n`);
}
