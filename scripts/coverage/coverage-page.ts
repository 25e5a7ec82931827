/** How an endpoint of the simulator is known, the surest first. */
const WAYS = ['recorded', 'source', 'assumed', '501'] as const;
type Way = (typeof WAYS)[number];

export interface Covered {
  method: string;
  path: string;
  way: Way;
  /** The recordings that play it with success. */
  recordings: string[];
}

const TITLES: Record<Way, string> = {
  recorded: 'as recorded',
  source: 'by source',
  assumed: 'assumed',
  '501': '501',
};

/** The page about what the simulator answers, as Markdown. */
export function coveragePage(all: readonly Covered[]): string {
  const groups = [...grouped(all, ({ path }) => groupOf(path))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  );
  return [
    table(
      ['group', ...WAYS.map(way => TITLES[way]), 'all'],
      [
        ...groups.map(([group, rows]) => [`[${group}](#${anchorOf(group)})`, ...counts(rows)]),
        ['**all**', ...counts(all)],
      ],
    ),
    ...groups.flatMap(([group, rows]) => [
      `## ${group}\n`,
      table(['endpoint', 'methods', 'recordings'], linesOf(rows)),
    ]),
  ].join('\n');
}

const anchorOf = (group: string): string => group.replaceAll(' ', '-');

function counts(rows: readonly Covered[]): string[] {
  const each = WAYS.map(way => rows.filter(row => row.way === way).length);
  return [...each, rows.length].map(String);
}

/** One line for a path: its methods, each with how it is known. */
function linesOf(rows: readonly Covered[]): string[][] {
  return [...grouped(rows, ({ path }) => path)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, here]) => {
      const methods = WAYS.flatMap(way => {
        const names = here.filter(row => row.way === way).map(({ method }) => method);
        return names.length === 0 ? [] : [`${names.sort().join(', ')}: ${TITLES[way]}`];
      });
      const recordings = [...new Set(here.flatMap(row => row.recordings))].sort();
      const shown =
        recordings.length > 4 ? [...recordings.slice(0, 4), `${recordings.length - 4} more`] : recordings;
      return [`\`${path}\``, methods.join('; '), shown.join(', ')];
    });
}

const GUEST = /^\/nodes\/\{node\}\/(qemu|lxc)/;

function groupOf(path: string): string {
  const guest = GUEST.exec(path)?.[1];
  if (guest !== undefined) return guest;
  const [, top = '', second = '', third = ''] = path.split('/');
  if (top === 'nodes') return third === 'storage' ? 'nodes storage' : 'nodes';
  if (top === 'cluster' && ['ha', 'firewall', 'sdn'].includes(second)) return `cluster ${second}`;
  return top === '' ? 'top' : top;
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
