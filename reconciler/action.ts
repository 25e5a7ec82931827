import type { Losses } from '../spec';

/** What a create or a clone sends, beside where. Planning does not know the client, so this is its own type. */
export type CreateParams = Record<string, string | number | boolean>;

/** What a changed field costs. */
export type Effect = 'live' | 'restart' | 'rebuild' | 'refused';

/** One field of the spec that differs from what Proxmox has, in the spec's words. Secrets stand as `(secret)`. */
export interface Change {
  field: string;
  from: string | undefined;
  to: string | undefined;
  effect: Effect;
}

/** A change that takes effect at once. */
export function liveChange(field: string, from: string | undefined, to: string | undefined): Change {
  return { field, from, to, effect: 'live' };
}

/** One thing to do to one machine. Plain data: printable, comparable, storable. */
export type Action =
  | ({ kind: 'fetch-image' } & ImageFile)
  | { kind: 'create'; node: string; vmid: number; params: CreateParams }
  | { kind: 'clone'; source: GuestPlace; node: string; vmid: number; params: CreateParams }
  | { kind: 'migrate'; to: string }
  /** `slow`: it takes as long as a task (pve/keys/keys.ts says of which keys). `verify`: not all of it is certain to be in effect, so it is read afterwards. */
  | { kind: 'configure'; set: Record<string, string>; delete: string[]; slow: boolean; verify: boolean }
  | { kind: 'resize'; slot: string; bytes: number }
  | { kind: 'move-disk'; slot: string; storage: string; format: string | undefined }
  | { kind: 'set-pool'; pool: string | undefined }
  /** `keepsPower`: besides, HA is told the power that the guest has by then. */
  | { kind: 'join-ha'; set: Record<string, string>; keepsPower?: true }
  | { kind: 'change-ha'; set: Record<string, string>; keepsPower?: true }
  | { kind: 'leave-ha' }
  /** `disks`: of one that is a template, those that Proxmox did not rename. */
  | { kind: 'make-template'; disks?: string[] }
  | { kind: 'regenerate-cloud-init' }
  | { kind: 'take-snapshot'; name: string; memory: boolean; description: string }
  | ({ kind: 'describe-snapshot'; description: string } & SnapshotPlace)
  | ({ kind: 'delete-snapshot' } & SnapshotPlace)
  /** `resumes`: the snapshot holds the memory of a guest that ran, so that it runs afterwards. */
  | ({ kind: 'roll-back'; resumes: boolean } & SnapshotPlace)
  /** `image`: the bytes in base64. They may hold secrets: show the action by `shownAction` only. */
  | { kind: 'upload-iso'; node: string; volume: string; sha256: string; image: string }
  | { kind: 'remove-iso'; node: string; volume: string }
  /** `description`: what the guest's says as soon as it is off; written then. */
  | { kind: 'restart'; description?: string }
  | { kind: 'power'; to: 'running' | 'stopped' }
  /**
   * `starts`: what is made in its place is started. `losses`: what goes with it. `withKept`: also volumes that were kept.
   * `copies`: the guest that it is made anew from, which must still stand when it goes.
   */
  | { kind: 'destroy'; starts?: boolean; losses?: Losses; withKept?: boolean; copies?: CopiedGuest };

/** The actions of one kind, or of some. */
export type ActionOf<K extends Action['kind']> = Extract<Action, { kind: K }>;

/** One row for each kind of action. */
export type ActionTable<More extends unknown[], Answer> = Readonly<{
  [K in Action['kind']]: (action: ActionOf<K>, ...more: More) => Answer;
}>;

/** What the row of an action's kind answers. */
export function dispatch<More extends unknown[], Answer>(
  table: ActionTable<More, Answer>,
  action: Action,
  ...more: More
): Answer {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the table's row for a kind takes that kind
  return (table[action.kind] as (action: Action, ...more: More) => Answer)(action, ...more);
}

/** Whether an action makes a guest. */
export function makesGuest(action: Action): action is ActionOf<'create' | 'clone'> {
  return action.kind === 'create' || action.kind === 'clone';
}

/** Whether a guest that exists runs a new start afterwards. */
export function startsGuest(action: Action): boolean {
  return action.kind === 'restart' || (action.kind === 'power' && action.to === 'running');
}

/** The keys of a configuration that a write sets or takes out. */
export function writtenKeys({ set, delete: gone }: Pick<ActionOf<'configure'>, 'set' | 'delete'>): string[] {
  return [...Object.keys(set), ...gone];
}

/** Whether an action takes, describes or deletes a snapshot. */
export function isAboutSnapshots({ kind }: Action): boolean {
  return kind === 'take-snapshot' || kind === 'describe-snapshot' || kind === 'delete-snapshot';
}

/** A disk image that a storage keeps, or is to keep, under a name that tells its content. */
export interface ImageFile {
  node: string;
  storage: string;
  /** The file, as a disk is imported from it: `local:import/…`. */
  volume: string;
  /** Where a node downloads it from. Absent: it is uploaded. */
  url?: string;
  /** The file of this machine that is uploaded. */
  file?: LocalFile;
  /** `algorithm:digits`. */
  checksum: string;
  /** It stands there already, and is only checked. */
  isThere: boolean;
  /** The nodes that may be downloading it at this moment: those that see the storage. */
  nodes: string[];
}

/** A file of the machine where the reconciler runs. */
export interface LocalFile {
  path: string;
  bytes: number;
  /** How large the disk in it is, where its first bytes tell. */
  diskBytes?: number;
}

export interface GuestPlace {
  node: string;
  vmid: number;
}

/** A guest that a clone is made of. `template`: it was one when that was planned; `name`: a spec knows it by that. */
export interface CopiedGuest extends GuestPlace {
  template: boolean;
  name?: string;
}

/** A snapshot of a guest. `taken`: when, by Proxmox's clock: another one of the same name is not it. */
export interface SnapshotPlace {
  name: string;
  taken: number;
}

/** A thing that we will not do, and what to do about it. */
export interface Refusal {
  machine: string;
  /** A word for programs: `foreign`, `shrink`, `rebuild`, `vmid-taken`, … */
  why: string;
  detail: string;
  /** Ends with a line break where its last line is one to copy. */
  remedy: string;
  /** What had been changed by then. Absent: that is not told. */
  changed?: Changed;
  cause?: Cause;
}

/** What a refusal is about, where that is one of the things that people search a log for. */
export interface Cause {
  about: 'resources' | 'bridge';
  /** The node, the storage or the bridge, and how much there is, by the names that the log gives them. */
  facts: Record<string, string>;
}

/** Why something is refused before anything was changed. */
export function untouched(why: string, detail: string, remedy: string): Objection {
  return { why, detail, remedy, changed: 'nothing' };
}

export type Changed = 'nothing' | 'maybe-stopped' | 'before';

/** Why something is refused, whichever machine it is. */
export type Objection = Omit<Refusal, 'machine'>;

const CHANGED: Record<Changed, string> = {
  nothing: 'Nothing was changed.',
  'maybe-stopped': 'It may have been stopped already; nothing else was changed.',
  before: 'What this run did before stays; nothing else was changed.',
};

/** What to do about a refusal, and what was changed. */
export function remedyText({ remedy, changed }: Pick<Refusal, 'remedy' | 'changed'>): string {
  if (changed === undefined) return remedy;
  return `${remedy}${remedy.endsWith('\n') ? '' : ' '}${CHANGED[changed]}`;
}

/** Why a node was taken for a new machine, or was not. */
export interface NodeReason {
  node: string;
  taken: boolean;
  reason: string;
}

/** A sentence for people. `about`: what it warns of, the same where a later plan says it with other numbers. */
export interface Warning {
  about: string;
  text: string;
}

/** What is to be done to one machine. No actions and no refusals: it is in sync. */
export interface MachinePlan {
  machine: string;
  changes: Change[];
  actions: Action[];
  refusals: Refusal[];
  /** Changes that stand in Proxmox and wait for a restart which the spec does not allow. */
  waiting: Change[];
  /** Keys that a later round of the same run writes, once the actions are done; with `-` those that go. Absent: none. */
  later?: string[];
  /** What comes after the actions in the same run, as far as it is foreseen: it is planned again by then. Absent: nothing. */
  foreseen?: Action[];
  /** A change needs a restart: the run does it, or leaves it to people. Absent: none is needed. */
  restart?: 'now' | 'later';
  /** A lost mark is written again, by the first action; the others follow once that is there. */
  heals?: true;
  /** It is not carried out: the machine is only observed, or not even read. */
  mode?: 'observe' | 'paused';
  /**
   * What must end or come back before any of it can be done: a lock, a running task, the quorum. Absent: nothing.
   * Without actions beside it: there is only a part of the guest yet, and nothing can be planned for that.
   */
  waitsFor?: string[];
  /** The snapshot that holds the machine as it was before the change that is at work. */
  wayBack?: string;
  /** It is to run and stands still: why, and what a person does about it. A run lets it be, and does not end well. */
  standsStill?: string;
  /** What is done all the same, and a person should know. Absent: nothing. */
  warnings?: Warning[];
  /** What is so and stays so, and a person should know all the same: sentences. It is no change. Absent: nothing. */
  notes?: string[];
  /** What is lost for good by it, whatever the action. Absent: nothing. */
  losses?: Losses;
  /** Of each node that was looked at for a new machine, why it is taken or not. Absent: nobody asked. */
  nodes?: NodeReason[];
}

/** Whether there is something left to do, now or when what it waits for is over. */
export function isUnfinished({ actions, waitsFor }: MachinePlan): boolean {
  return actions.length > 0 || waitsFor !== undefined;
}

/** A plan that does nothing. */
export function emptyPlan(machine: string): MachinePlan {
  return { machine, changes: [], actions: [], refusals: [], waiting: [] };
}

/** The warnings of a plan, where there are any. */
export function warned(...told: (readonly Warning[] | undefined)[]): Pick<MachinePlan, 'warnings'> {
  const warnings = told.flatMap(some => some ?? []);
  return warnings.length > 0 ? { warnings } : {};
}
