/** What a text or a document of ours says that a run takes: as the keys of items. Here alone stands how it is said. */
export type Named = ReadonlySet<string>;

interface Losses {
  volumes?: { volume: string; kind?: string }[];
  snapshots?: { name: string }[];
}

const VOLUME = /[a-z][\w.-]+:[^\s,()]+?(?=[.,;)]*(?:\s|$|\)))/g;

/** Where plans, questions, reviews and lists name what goes. */
const VOLUMES = [/with its disks \(([^)]*)\)/g, /(?:LOST|Lost for good): (.*)/g];
/** One name, or several with a comma between. */
const SNAPSHOTS = [
  /its snapshots \(([^)]*)\)/g,
  /(?<=(?:LOST|Lost for good): .*)snapshot ([\w-]+)/g,
  /(?:delete|deleting) snapshot ([\w-]+)/g,
  /Snapshot ([\w-]+) of .* is deleted/g,
];

/** What a text names as lost. */
export function namedIn(text: string): Named {
  const parts = (patterns: RegExp[]): string[] =>
    patterns.flatMap(pattern => [...text.matchAll(pattern)].map(match => match[1] ?? ''));
  const volumes = parts(VOLUMES).flatMap(part => part.match(VOLUME) ?? []);
  const snapshots = parts(SNAPSHOTS).flatMap(part =>
    part.split(',').map(each => /^\s*([\w-]+)/.exec(each)?.[1] ?? ''),
  );
  return new Set([
    ...volumes.map(volume => `volume ${volume}`),
    ...snapshots.filter(Boolean).map(name => `snapshot ${name}`),
  ]);
}

/** What the `losses` of documents name, wherever they stand in them. */
export function namedInJson(json: unknown): Named {
  const keys = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    // what is left alone loses nothing
    if ('fate' in value && value.fate === 'stays') return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'losses') add((inner ?? {}) as Losses);
      else visit(inner);
    }
  };
  const add = ({ volumes = [], snapshots = [] }: Losses): void => {
    for (const { volume, kind } of volumes) if (kind !== 'cloud-init') keys.add(`volume ${volume}`);
    for (const { name } of snapshots) keys.add(`snapshot ${name}`);
  };
  visit(json);
  return keys;
}
