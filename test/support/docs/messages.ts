import messages from './messages.json';

/** A row of docs/troubleshooting.md, and a message as the program said it in a test. */
export interface Message {
  piece: string;
  means: string;
  remedy: string;
  said: string | undefined;
}

/** The rows of the page, each with its message. */
export const messagesOf = (page: string): Message[] =>
  [...page.matchAll(/^\| `([^`]+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
    ([, piece = '', means = '', remedy = '']) => ({
      ...{ piece, means, remedy },
      said: (messages as Readonly<Record<string, string>>)[piece],
    }),
  );

/** Whether a message is one of this row. `…` stands for any text. */
export function isOf(said: string, piece: string): boolean {
  let at = 0;
  return piece.split('…').every(part => {
    const found = said.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}
