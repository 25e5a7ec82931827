import * as z from 'zod';
import { canonical, isRecord } from '../../spec';

/** On the wire a flag is 1, and the state of a snapshot before a change its place in this list. */
const Flag = z.literal(1).transform(() => true as const);
const GUARDS = [undefined, 'begun', 'done'] as const;

/**
 * What we remember about a guest, in the guest. Each word has its letters in `LETTERS`. Where it stands in a description
 * is description.ts; what a write puts into it is plan/mark-content.ts.
 */
const KnownMark = z.object({
  owner: z.string(),
  machine: z.string(),
  /** The smbios uuid that we chose. A copy has another, and so is not ours. */
  uuid: z.string(),
  /** Until the first configuration: the create is unfinished. */
  isUnfinished: Flag.optional(),
  /** The id of the guest that is the machine instead: another run made it, and this one is left over. */
  replacedBy: z.number().optional(),
  /** While the cloud-init drive of a guest that runs lags behind its keys: nothing else tells of it. */
  isDriveOld: Flag.optional(),
  /** While we restart a guest whose power nobody manages: found off, it is to run again. */
  isRestarting: Flag.optional(),
  /** The node where a clone is to go before its creation is finished. */
  targetNode: z.string().optional(),
  /** The Terraform registry entry's id. */
  entry: z.string().optional(),
  /** Token of the last apply. */
  token: z.string().optional(),
  /** Device name to slot. */
  disks: z.record(z.string(), z.string()).optional(),
  networks: z.record(z.string(), z.string()).optional(),
  /** Disk name to the generation in which its slot was last known to be right, for disks that came later than the machine. */
  diskGenerations: z.record(z.string(), z.string()).optional(),
  /** passwordVersion and revertTo, as last done. */
  passwordVersion: z.number().optional(),
  revertedTo: z.string().optional(),
  /** The generation that the guest had when `revertedTo` was begun: once it has another one, that is done. */
  revertedFrom: z.string().optional(),
  /** The generation that it had when its password was sent: a rollback brings the old one back. */
  passwordGeneration: z.string().optional(),
  /** The image that the machine was made from, in words: a full clone does not tell. */
  image: z.string().optional(),
  /** Names of the disks whose volume is deleted when they leave the spec: then the spec says nothing of them. */
  deletedWithSpec: z.array(z.string()).optional(),
  /** How long a destroy may take, where the spec says so: whoever destroys the machine has no spec of it. */
  destroyTimeout: z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/)
    .optional()
    .catch(undefined),
  /** In the description of a snapshot: it stays when it is no longer wanted. */
  isKept: Flag.optional(),
  /** In the description of a snapshot that was taken before a change: whether that change is done. */
  guard: z
    .literal([1, 2])
    .transform(state => GUARDS[state])
    .optional(),
  /** The slot of the ISO that holds cloud-init data. */
  dataIsoSlot: z.string().optional(),
  /** Where ISOs of cloud-init data for this machine may be: a storage, or `storage@node`. Written before the first one. */
  dataIsoPlaces: z.array(z.string()).optional(),
  /** How the checksums begin of the ISOs that it had in its drive: on a shared storage only those are this very guest's. */
  dataIsos: z.array(z.string()).optional().catch(undefined),
  /** The source that wrote it last, by its name: who shares an owner with others is told from them by it. */
  source: z
    .string()
    .regex(/^[^'"`$\\\p{C}]{1,200}$/u)
    .optional()
    .catch(undefined),
  /** It is made to be a template, and is one once it is finished. */
  becomesTemplate: Flag.optional(),
  /** The addresses that the guest told when a run last waited for them: told again while its agent is silent. */
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .optional()
    .catch(undefined),
  /** Volumes that were kept go with the guest, where it is destroyed. */
  takesKeptVolumes: Flag.optional(),
  /**
   * What waits for the next boot: cloud-init keys that were written while the guest ran, with the text that it was
   * started with; null: that is not kept. It counts only while Proxmox holds the sign of it pending (guest/next-boot.ts).
   */
  nextBoot: z.record(z.string(), z.string().nullable()).optional().catch(undefined),
  /** The ISO of cloud-init data that waits for that boot says nothing new but a name, a MAC address or a slot. */
  keepsData: Flag.optional().catch(undefined),
  /** Volumes that are detached and still to be deleted. */
  volumesToDelete: z.array(z.string()).optional(),
  /** Disk name to volume, of the disks whose volume is deleted when they leave the spec; and the generation that they had then. */
  volumes: z.record(z.string(), z.string()).optional().catch(undefined),
  volumesGeneration: z.string().optional().catch(undefined),
  /** Of the fields for which its spec lets it be made anew: what that spec wanted when this was written (last-wanted.ts). */
  lastWanted: z.record(z.string(), z.string()).optional().catch(undefined),
  /** The generation of such a guest when this was written: one that was brought back since is not made anew by an old wish. */
  lastGeneration: z.string().optional().catch(undefined),
});

type KnownMark = z.infer<typeof KnownMark>;

/** `more`: keys that this release does not know, of a later one or written by hand. They are written again as they are. */
export type Mark = KnownMark & { more?: Readonly<Record<string, unknown>> | undefined };

/** What each word is on the wire, and nowhere else: a description holds 8,192 characters for the user and for us. */
const LETTERS: Readonly<Record<keyof KnownMark, string>> = {
  owner: 'o',
  machine: 'm',
  uuid: 'u',
  isUnfinished: 'b',
  replacedBy: 'y',
  isDriveOld: 'c',
  isRestarting: 's',
  targetNode: 'w',
  entry: 'e',
  token: 't',
  disks: 'd',
  networks: 'n',
  diskGenerations: 'dg',
  passwordVersion: 'p',
  revertedTo: 'r',
  revertedFrom: 'q',
  passwordGeneration: 'h',
  image: 'i',
  deletedWithSpec: 'x',
  destroyTimeout: 'l',
  isKept: 'k',
  guard: 'z',
  dataIsoSlot: 'j',
  dataIsoPlaces: 'f',
  dataIsos: 'fs',
  source: 'so',
  becomesTemplate: 'a',
  addresses: 'ip',
  takesKeptVolumes: 'kv',
  nextBoot: 'nb',
  keepsData: 'nd',
  volumesToDelete: 'g',
  volumes: 'vo',
  volumesGeneration: 'vg',
  lastWanted: 'lw',
  lastGeneration: 'lg',
};

const LETTERS_OF = new Map<string, string>(Object.entries(LETTERS));
const WORD_OF = new Map(Object.entries(LETTERS).map(([word, letters]) => [letters, word]));

/** The version of the format that this release writes. */
const VERSION = 1;

/** The mark as it is written. */
export function markToJson({ more, ...known }: Mark): string {
  const wire = Object.entries(known).map(([word, value]) => {
    const isGuard = word === 'guard' && value !== undefined;
    const written = isGuard ? GUARDS.indexOf(known.guard) : value === true ? 1 : value;
    return [LETTERS_OF.get(word), written];
  });
  return JSON.stringify({ v: VERSION, ...Object.fromEntries(wire), ...more });
}

/** The mark that was written. Undefined: it is none, or of another version. */
export function markFromJson(json: string): Mark | undefined {
  const { v: version, ...wire } = recordOf(json);
  if (version !== VERSION) return undefined;
  const known = Object.entries(wire).filter(([letters]) => WORD_OF.has(letters));
  const read = KnownMark.safeParse(
    Object.fromEntries(known.map(([letters, value]) => [WORD_OF.get(letters), value])),
  );
  if (!read.success) return undefined;
  const more = Object.entries(wire).filter(([letters]) => !WORD_OF.has(letters));
  return more.length === 0 ? read.data : { ...read.data, more: Object.fromEntries(more) };
}

/** The version of a mark's format; 0: it is no mark. */
export function versionOf(json: string): number {
  const { v: version } = recordOf(json);
  return typeof version === 'number' ? version : 0;
}

function recordOf(json: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(json);
    return isRecord(read) ? read : {};
  } catch {
    return {};
  }
}

/** Whether two marks say the same. */
export function sameMark(one: Mark | undefined, other: Mark | undefined): boolean {
  return canonical(one) === canonical(other);
}

/** The same, whatever a rival wrote into either of having lost. */
export function sameMarkButLost(one: Mark, other: Mark): boolean {
  return sameMark({ ...one, replacedBy: undefined }, { ...other, replacedBy: undefined });
}
