import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOf, messagesOf } from '../support/docs/messages';
import { read } from './code-blocks';
import { root } from './copied-tree';

const PAGE = join('docs', 'messages.md');
const messages = messagesOf(read(join('docs', 'troubleshooting.md')));

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
const ended = (sentence: string): string => (/[.:]$/.test(sentence) ? sentence : `${sentence}.`);
const sections = messages.map(({ piece, means, remedy, said = '' }) =>
  [`## \`${piece}\``, `> ${code(said)}`, ended(`It means: ${means}`), ended(`Do: ${remedy}`)].join('\n\n'),
);

/** The page, as it is made of the rows and the messages. */
const page = `# Messages by example

Written by \`PICTURES=1 npx jest test/repository/messages\` from [troubleshooting](troubleshooting.md) and
\`test/support/docs/messages.json\`: change the row or the message there, not this page.

Each message stands here as the program said it in a test. \`web\` is the machine, 10000 the number of its guest. A message says
whether something was changed, and whether running again is safe.

${sections.join('\n\n')}
`;

test('the page of the messages is made of the rows of troubleshooting', () => {
  if (process.env['PICTURES']) writeFileSync(join(root, PAGE), page);
  expect(read(PAGE)).toBe(page);
});

test.each(messages.map(message => [message.piece, message] as const))(
  '%s: its example is such a message',
  (piece, { said = '' }) => {
    expect(isOf(said, piece)).toBe(true);
  },
);
