import { counted } from '../errors';
import { losesNothing } from '../guest/losses';
import { lossesList, withLosses } from '../plan/losses-text';
import { originText, ownerText } from './about';
import {
  losesDisks,
  lossesOf,
  VERDICTS,
  type FieldChange,
  type Review,
  type ReviewedMachine,
  type ReviewVerdict,
} from './review';

interface Words {
  /** Before its line on a terminal. */
  sign: string;
  /** What a person reads first. */
  word: string;
  /** What it means for the guest, in one sentence. */
  means: string;
}

/** Each verdict in words. */
export const WORDS: Readonly<Record<ReviewVerdict, Words>> = {
  destroy: { sign: '-', word: 'destroy', means: 'The machine and its disks go.' },
  rebuild: { sign: '±', word: 'rebuild', means: 'It cannot be changed in place.' },
  refused: { sign: '!', word: 'refused', means: 'Nothing is done to it, and the plan or the apply fails.' },
  unreached: { sign: '!', word: 'not reached', means: 'The apply fails before it comes to it.' },
  unread: {
    sign: '?',
    word: 'not read',
    means:
      'Proxmox was not asked about it, as the plan failed before that. Nobody knows what would become of it.',
  },
  forget: { sign: '?', word: 'forgotten', means: 'It stays, with its disks, and nobody manages it.' },
  restart: { sign: '↻', word: 'restarts now', means: 'The apply takes it down and starts it again.' },
  stop: { sign: '↓', word: 'stops now', means: 'The apply shuts it down, and it stays off.' },
  waits: {
    sign: '~',
    word: 'waits for a restart',
    means: 'It runs on. A change is written, and takes effect when somebody restarts it.',
  },
  unknown: {
    sign: '?',
    word: 'unknown until apply',
    means: 'Its spec reads what is known only when the plan is applied.',
  },
  change: { sign: '~', word: 'change', means: 'Changed in place, while it runs.' },
  adopt: { sign: '+', word: 'adopt', means: 'A guest that is there comes under this stack.' },
  create: { sign: '+', word: 'create', means: 'A new machine.' },
  observed: {
    sign: '?',
    word: 'differs, only observed',
    means: 'It has mode: observe. It differs from its spec, and nothing is done about it.',
  },
  unplanned: { sign: '?', word: 'not in this plan', means: 'The plan leaves it out.' },
  wanted: { sign: '+', word: 'wanted', means: 'The stack asks for it. Nothing is planned yet.' },
  unchanged: { sign: '=', word: 'unchanged', means: 'It is as the stack wants it.' },
};

/** How many machines there are of each verdict that one has, the worst first. */
export function countsOf({ totals }: Review): [verdict: ReviewVerdict, count: number][] {
  return VERDICTS.flatMap((verdict): [ReviewVerdict, number][] => {
    const count = totals[verdict];
    return count === undefined ? [] : [[verdict, count]];
  });
}

/** Whose machines a review is about, and what it is: its heading. */
export function headingOf({ of, about, machines }: Review): string {
  const clusters = machines.map(({ cluster }) => cluster);
  const owners = [...new Set(about.owners.map(owner => ownerText(owner, clusters)))].join('; ');
  const says = of === 'plan' ? 'what this plan does to machines' : 'what this stack wants';
  const text = owners === '' ? says : `${owners}: ${says}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The clusters, and when and of which commit it was planned; empty where nobody tells. */
export function originOf({ about, machines }: Review): string {
  const clusters = [...new Set(machines.map(({ cluster }) => cluster))].filter(name => name !== '').sort();
  const named = clusters.length === 0 ? [] : [`Cluster ${clusters.join(', ')}`];
  return [...named, ...originText(about)].join(' · ');
}

/** The totals in one line, the worst first. */
export function totalsText(review: Review): string {
  if (review.machines.length === 0) return 'No machines.';
  return `${countsOf(review)
    .map(([verdict, count]) => `${count} ${WORDS[verdict].word}`)
    .join(', ')}.`;
}

/** Whether there is nothing to say of a machine but that it stays. What waits for a restart is said. */
export function isQuiet({ verdict, waiting }: ReviewedMachine): boolean {
  return verdict === 'unchanged' && waiting.length === 0;
}

/** The machine's id, with its module or its cluster where there are several. */
export function addressOf(
  { id, cluster, module }: Pick<ReviewedMachine, 'id' | 'cluster' | 'module'>,
  machines: readonly ReviewedMachine[],
): string {
  const isInOneModule = machines.every(other => other.module === module);
  const isInOneCluster = machines.every(other => other.cluster === cluster);
  const place = isInOneModule ? (isInOneCluster ? '' : cluster) : module;
  return place === '' ? id : `${place}/${id}`;
}

/** The machine's address for a heading, with its name where it has another. */
export function titleOf(machine: ReviewedMachine, { machines }: Review): string {
  const { id, name } = machine;
  return `${addressOf(machine, machines)}${name === id ? '' : ` (${name})`}`;
}

/** Where the machine is and will be; empty where nothing is known. */
export function placeText({ vmid, before, after, verdict }: ReviewedMachine): string {
  const number = vmid === undefined ? '' : `VM ${vmid} `;
  if (before === undefined)
    return after === undefined ? '' : `${verdict === 'wanted' ? 'prefers' : 'on'} ${after}`;
  if (after === undefined || after === before) return `${number}on ${before}`;
  return `${number}from ${before} to ${after}`;
}

/** True where what was there before is none, or nobody knows it: then a change has only its new value. */
export function hasNoBefore({ verdict }: ReviewedMachine): boolean {
  return verdict === 'create' || verdict === 'wanted' || verdict === 'unknown';
}

/** What a change costs; empty where that is no question. */
export function costText(machine: ReviewedMachine, { effect }: FieldChange): string {
  return hasNoBefore(machine) ? '' : effect;
}

/** The changes of a machine as rows of a table; those that wait for a restart come last. */
export function rowsOf(
  machine: ReviewedMachine,
): { field: string; from: string; to: string; cost: string }[] {
  const row = ({ field, from, to }: FieldChange, cost: string) => {
    return { field, from: shown(from), to: shown(to), cost };
  };
  return [
    ...machine.changes.map(change => row(change, costText(machine, change))),
    ...machine.waiting.map(change => row(change, 'waits for a restart')),
  ];
}

/** A value as it is shown: one line, and never longer than a screen. */
export function shown(value: string | undefined): string {
  if (value === undefined) return '(none)';
  const line = value.replace(/\s+/g, ' ');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/** What is lost for good, as a size and in numbers; undefined where nothing is. What is zero, or not told, is left out. */
export function lostText({ lost }: Review): string | undefined {
  const { bytes, unknown, volumes, snapshots } = lost;
  const machines = counted(unknown, 'machine', 'machines');
  const parts = [
    // an unused volume has no size in a configuration
    ...(bytes > 0 ? [`${roundSize(bytes)} of disks`] : []),
    ...(volumes > 0 ? [counted(volumes, 'volume', 'volumes')] : []),
    ...(snapshots > 0 ? [counted(snapshots, 'snapshot', 'snapshots')] : []),
  ];
  if (parts.length === 0)
    return unknown > 0 ? `Lost: the disks of ${machines}, which are not known.` : undefined;
  const more = unknown === 0 ? '' : ` The disks of ${machines} are not known.`;
  return `Lost: ${parts.join(', ')}.${more}`;
}

/** A size for people: in GiB, and in MiB where that would be nothing. */
function roundSize(bytes: number): string {
  const tenths = (unit: number): number => Math.round((bytes / unit) * 10) / 10;
  const gib = tenths(1024 ** 3);
  return gib > 0 ? `${gib} GiB` : `${Math.max(tenths(1024 ** 2), 0.1)} MiB`;
}

/** What a machine loses for good, by name; undefined where it loses nothing, or where that is not known. */
export function disksText(machine: ReviewedMachine): string | undefined {
  const losses = lossesOf(machine);
  if (losses === undefined || losesNothing(losses)) return undefined;
  return losesDisks(machine) ? `It goes ${withLosses(losses)}.` : `Lost for good: ${lossesList(losses)}.`;
}
