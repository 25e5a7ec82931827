import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import messages from '../support/docs/messages.json';
import { isOf } from '../support/docs/messages';
import { sentencesOf, type Sentence } from '../support/docs/every-message';
import { exampleOf, messagesIn } from '../support/docs/seen';
import examples from '../support/docs/seen.json';
import { read } from './code-blocks';
import { root } from './copied-tree';

const PAGE = join('docs', 'every-message.md');
const SEEN = join('test', 'support', 'docs', 'seen.json');

/** The parts of the page: what is told there, and the folders whose code says it. */
const PARTS: readonly [title: string, says: string, folders: readonly string[]][] = [
  [
    'What you wrote',
    'A desired state, a manifest, an argument, a variable or a file is wrong: exit code 2. Nothing was sent.',
    ['spec', 'reconciler/input', 'reconciler/config', 'reconciler/manifests', 'reconciler/commands'],
  ],
  [
    'What is refused, and what a change costs',
    'The plan refuses the machine: exit code 3. It is said before anything is written ([refusals](errors.md)).',
    ['reconciler/plan', 'reconciler/machine', 'reconciler/placement', 'reconciler/privileges'],
  ],
  [
    'Proxmox and the way to it',
    'Proxmox did not do a request, or nothing answered ([kinds](errors.md#kinds)).',
    [
      'reconciler/pve',
      'reconciler/errors.ts',
      'reconciler/observe',
      'reconciler/waits',
      'reconciler/outputs',
    ],
  ],
  [
    'While a run is at work',
    'What a run says while it changes a machine ([what it waits for](waiting.md)).',
    ['reconciler/life', 'reconciler/apply', 'reconciler/images', 'reconciler/run', 'reconciler/report'],
  ],
  ['Moving in, and out', 'See [moving in](moving-in.md).', ['reconciler/adopt', 'reconciler/module']],
  ['A review of a plan', 'See [review](review.md).', ['reconciler/review']],
  ['The doctor', 'It changes nothing.', ['reconciler/doctor']],
  [
    'The daemon, and Kubernetes',
    'See [the daemon](daemon.md) and [Kubernetes](kubernetes.md).',
    ['reconciler/daemon', 'reconciler/kubernetes', 'reconciler/worker', 'reconciler/client'],
  ],
  ['Constructs, when an app is synthesized', 'See [classes](api.md).', ['constructs']],
  ['What several of them say', 'Parts of the messages above.', ['']],
];
const all = sentencesOf(root, ['spec', 'reconciler', 'constructs']);

const { PICTURES, TOLD } = process.env;
const seen = PICTURES && TOLD ? [...new Set([...examples, ...messagesIn(TOLD)])] : examples;
const used = new Set<string>();

/** Pages that say what a field, a flag or a variable is: that is no message. */
const elsewhere = ['model.md', 'commands.md', 'environment.md']
  .map(name => read(join('docs', name)))
  .join('\n');

function code(text: string): string {
  if (!text.includes('`')) return `\`${text}\``;
  const room = /^`|`$/.test(text) ? ' ' : '';
  return `\`\`${room}${text}${room}\`\``;
}
const told = new Set<string>();
const sectionOf = (file: string): string =>
  file
    .replace(/^reconciler\//, '')
    .replace(/(?:\/index)?\.ts$/, '')
    .replace(/[/-]/g, ' ');

/** The part of the page in which a file stands: the first one that has its folder. */
const placeOf = (file: string): number =>
  PARTS.findIndex(([, , folders]) => folders.some(folder => file.startsWith(folder)));

function partOf([title, says]: (typeof PARTS)[number], place: number): string {
  const said = all.filter(({ file, text }) => {
    if (placeOf(file) !== place || told.has(text) || elsewhere.includes(text)) return false;
    told.add(text);
    return true;
  });
  const files = [...new Set(said.map(({ file }) => file))];
  const lines = (sentence: Sentence) => {
    const { text, remedy } = sentence;
    const example = exampleOf(sentence, seen);
    if (example) used.add(example);
    return `- ${code(text)}${remedy ? ` Do: ${code(remedy)}` : ''}${example ? ` Such as: ${code(example)}` : ''}`;
  };
  const sections = files.map(file => {
    const own = said.filter(each => each.file === file);
    return `### ${sectionOf(file)}\n\n${own.map(lines).join('\n')}`;
  });
  return `## ${title}\n\n${says}\n\n${sections.join('\n\n')}`;
}

const page = `# Every message, by its words

Written by \`PICTURES=1 npx jest test/repository/every-message\` from the code: change the message there, not this page.
With \`TOLD=FILE\` it also takes examples from what other tests have kept there.

To find a message, search this page for its first words, without what is different each time: names, numbers, paths. \`…\` stands for
that here. A message may be made of two of these lines: what is wrong, then what to do. Where the two belong together, they stand
in one line, with "Do:" between them. After "Such as:" stands a whole message of that kind, as the program said it in a test: what is
wrong with which machine, what to do, and mostly whether something was changed. On the site each line has an address.

The headings are the subjects, named as the files of the code are. Messages that people meet most stand whole, with what they mean, in
[messages by example](messages.md). What an exit code means is in [errors](errors.md). Texts of Proxmox itself, which a message
repeats, are not here.

${PARTS.map(partOf).join('\n\n')}
`;

test('the page of every message is made of the code', () => {
  if (PICTURES) {
    writeFileSync(join(root, PAGE), page);
    writeFileSync(join(root, SEEN), `${JSON.stringify([...used].sort(), null, 2)}\n`);
  }
  expect(read(PAGE)).toBe(page);
});

test.each(Object.entries(messages))('%s: the page has a line of it', (_, said) => {
  const lines = [...page.matchAll(/^- `+ ?(.+?) ?`+(?: Do:| Such as:|$)/gm)].map(([, line = '']) => line);
  expect(lines.filter(line => isOf(said, line))).not.toEqual([]);
});
