import { isOutOfRoom } from '../pve';

/** Why a machine is not made or changed, where that is one of the things that people search for. */
export interface KnownCause {
  about: 'resources' | 'network';
  /** The words of the log. */
  message: 'Insufficient resources' | 'Bridge not found';
  fields: Record<string, string>;
}

/** What placement and the checks of a plan say of a node, and what that is about. */
const SAYS: readonly [pattern: RegExp, cause: Omit<KnownCause, 'fields'>][] = [
  [
    /(?<node>[^\s():;]+): insufficient resources on node \(memory: (?<available>[^,]+) to give, (?<requested_memory>.+?) are wanted\)/,
    { about: 'resources', message: 'Insufficient resources' },
  ],
  [
    /(?<node>[^\s():;]+): insufficient resources on node/,
    { about: 'resources', message: 'Insufficient resources' },
  ],
  [
    /(?<node>[^\s():;]+): storage '(?<storage>[^']+)' has (?<available>\S+) free, (?<requested>\S+) are wanted/,
    { about: 'resources', message: 'Insufficient resources' },
  ],
  [
    /(?<node>[^\s():;]+): bridge '(?<bridge>[^']+)' not found/,
    { about: 'network', message: 'Bridge not found' },
  ],
  [
    /bridge '(?<bridge>[^']+)' not found on node (?<node>[^\s,]+)/,
    { about: 'network', message: 'Bridge not found' },
  ],
  [/is on bridge '(?<bridge>[^']+)', and the node has /, { about: 'network', message: 'Bridge not found' }],
];

/** The cause that the text of a failure tells; undefined for all others. */
export function knownCauseOf(text: string): KnownCause | undefined {
  for (const [pattern, cause] of SAYS) {
    const found = pattern.exec(text);
    if (found) return { ...cause, fields: { ...found.groups } };
  }
  return isOutOfRoom(text)
    ? { about: 'resources', message: 'Insufficient resources', fields: {} }
    : undefined;
}
