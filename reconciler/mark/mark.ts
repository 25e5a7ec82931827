import * as z from 'zod';
import { canonical, isRecord } from '../../spec';
import { ourLines, withoutLines } from './our-lines';

/**
 * What we remember about a guest, in the guest: one line of JSON at the end of its description.
 * Keys are short because the description holds 8,192 characters for the user and for us.
 */
const KnownMark = z.object({
  /** Format version. */
  v: z.literal(1),
  /** Owner and machine id. */
  o: z.string(),
  m: z.string(),
  /** The smbios uuid that we chose. A copy has another, and so is not ours. */
  u: z.string(),
  /** 1 until the first configuration: the create is unfinished. */
  b: z.literal(1).optional(),
  /** The id of the guest that is the machine instead: another run made it, and this one is left over. */
  y: z.number().optional(),
  /** 1 while the cloud-init drive of a guest that runs lags behind its keys: nothing else tells of it. */
  c: z.literal(1).optional(),
  /** 1 while we restart a guest whose power nobody manages: found off, it is to run again. */
  s: z.literal(1).optional(),
  /** The node where a clone is to go before its creation is finished. */
  w: z.string().optional(),
  /** The Terraform registry entry's id. */
  e: z.string().optional(),
  /** Token of the last apply. */
  t: z.string().optional(),
  /** Device name to slot: disks and network cards. */
  d: z.record(z.string(), z.string()).optional(),
  n: z.record(z.string(), z.string()).optional(),
  /** Disk name to the generation in which its slot was last known to be right, for disks that came later than the machine. */
  dg: z.record(z.string(), z.string()).optional(),
  /** passwordVersion and revertTo, as last done. */
  p: z.number().optional(),
  r: z.string().optional(),
  /** The generation that the guest had when `r` was begun: once it has another one, that is done. */
  q: z.string().optional(),
  /** The generation that it had when its password was sent: a rollback brings the old one back. */
  h: z.string().optional(),
  /** The image that the machine was made from, in words: a full clone does not tell. */
  i: z.string().optional(),
  /** Names of the disks whose volume is deleted when they leave the spec: then the spec says nothing of them. */
  x: z.array(z.string()).optional(),
  /** How long a destroy may take, where the spec says so: whoever destroys the machine has no spec of it. */
  l: z
    .string()
    .regex(/^[1-9]\d{0,5}[smh]$/)
    .optional()
    .catch(undefined),
  /** In the description of a snapshot: it stays when it is no longer wanted. */
  k: z.literal(1).optional(),
  /** In the description of a snapshot that was taken before a change: 1 until the change is done, then 2. */
  z: z.union([z.literal(1), z.literal(2)]).optional(),
  /** The slot of the ISO that holds cloud-init data. */
  j: z.string().optional(),
  /** Where ISOs of cloud-init data for this machine may be: a storage, or `storage@node`. Written before the first one. */
  f: z.array(z.string()).optional(),
  /** The source that wrote it last, by its name: who shares an owner with others is told from them by it. */
  so: z
    .string()
    .regex(/^[^'"`$\\\p{C}]{1,200}$/u)
    .optional()
    .catch(undefined),
  /** 1: it is made to be a template, and is one once it is finished. */
  a: z.literal(1).optional(),
  /** The addresses that the guest told when a run last waited for them: told again while its agent is silent. */
  ip: z
    .array(z.union([z.ipv4(), z.ipv6()]))
    .optional()
    .catch(undefined),
  /** 1: volumes that were kept go with the guest, where it is destroyed. */
  kv: z.literal(1).optional(),
  /**
   * What waits for the next boot: cloud-init keys that were written while the guest ran, with the text that it was
   * started with; null: that is not kept. It counts only while Proxmox holds the sign of it pending (guest/next-boot.ts).
   */
  nb: z.record(z.string(), z.string().nullable()).optional().catch(undefined),
  /** Volumes that are detached and still to be deleted. */
  g: z.array(z.string()).optional(),
});

/** `more`: keys that this release does not know, of a later one or written by hand. They are written again as they are. */
export type Mark = z.infer<typeof KnownMark> & { more?: Readonly<Record<string, unknown>> | undefined };

/** A description taken apart. `damaged`: there is a line of ours that cannot be read. */
export interface Description {
  text: string;
  mark: Mark | 'damaged' | undefined;
}

/**
 * Takes a description as Proxmox gives it apart: the user's text, and our line, wherever people have moved it. Of several
 * the last one that is true of the guest counts, else the last one that can be read.
 */
export function readDescription(
  description: string,
  isTrue: (mark: Mark) => boolean = () => true,
): Description {
  const lines = ourLines(description, json => parseMark(json) !== undefined);
  if (lines.length === 0) return { text: description.replace(/\n+$/, ''), mark: undefined };
  const marks = lines.flatMap(({ json }) => parseMark(json) ?? []);
  const mark = marks.findLast(isTrue) ?? marks.at(-1) ?? 'damaged';
  return { text: withoutLines(description.replace(/\s+$/, ''), lines), mark };
}

/** Whether a line of ours is of a later version than this release knows: that is no damage, and is never written over. */
export function isOfLaterVersion(description = ''): boolean {
  // asked of each guest that is looked at: what says version 1 is not taken apart for it
  if (!/"v":(?!1[,}])/.test(description)) return false;
  const isLater = (json: string): boolean => versionOf(json) > 1;
  return ourLines(description, isLater).some(({ json = '' }) => isLater(json));
}

/** Whether more than one line of ours stands in a description: the one that counts may be deleted, and an old one count. */
export function isMarkedTwice(description = ''): boolean {
  return ourLines(description, () => false).length > 1;
}

/** The description to send: the user's text, untouched, and our line below it. */
export function writeDescription(text: string, { more, ...known }: Mark): string {
  // `-->` in a value would end the comment where a viewer renders the description
  const json = JSON.stringify({ ...known, ...more }).replaceAll('-->', '--\\u003e');
  const line = `<!-- pvr:${json} -->`;
  return text === '' ? line : `${text}\n${line}`;
}

/** Whether two marks say the same. */
export function sameMark(one: Mark | undefined, other: Mark | undefined): boolean {
  return canonical(one) === canonical(other);
}

/** The same, whatever a rival wrote into either of having lost. */
export function sameMarkButLost(one: Mark, other: Mark): boolean {
  return sameMark({ ...one, y: undefined }, { ...other, y: undefined });
}

function versionOf(json: string): number {
  try {
    return z.object({ v: z.number() }).parse(JSON.parse(json)).v;
  } catch {
    return 0;
  }
}

function parseMark(json: string | undefined): Mark | undefined {
  if (json === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(json);
    const mark = KnownMark.safeParse(read);
    return mark.success ? { ...mark.data, ...unknownKeys(read) } : undefined;
  } catch {
    return undefined;
  }
}

function unknownKeys(read: unknown): Pick<Mark, 'more'> {
  const left = isRecord(read)
    ? Object.entries(read).filter(([key]) => !Object.hasOwn(KnownMark.shape, key))
    : [];
  return left.length === 0 ? {} : { more: Object.fromEntries(left) };
}
