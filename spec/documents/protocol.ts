import * as z from 'zod';
import { MachineId, Owner, SnapshotName } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { Losses, SnapshotStep } from './losses';

/** The version of the words below. Both sides state theirs; a difference is an error, never a guess. */
export const PROTOCOL_VERSION = 1;

const Json = z.string().meta({ description: 'JSON text.' });
const Fleet = Json.meta({ description: 'JSON text of all machines that placement must know: a fleet.' });
const protocol = z.string().meta({ description: 'The protocol version.' });

/** Stands for the owner where a cluster has left the program: whose its machines are, only the state knows. */
export const EVERY_OWNER = '*';

/**
 * What observe reads on stdin: one flat map of texts, with `spec.<id>`, `entry.<id>` and `reads.<id>` for each machine,
 * and `snapshot.<id>.<name>` for each snapshot.
 */
export const ObserveQuery = z
  .object({ protocol, cluster: Json, owner: Owner, fleet: Fleet.optional() })
  .catchall(z.string());
export type ObserveQuery = z.infer<typeof ObserveQuery>;

/** The cost of what a plan would do to a machine, cheapest first. */
export const EFFECTS = ['none', 'create', 'adopt', 'live', 'restart', 'rebuild', 'refused'] as const;

const ChangeOfField = strictObject(() => ({
  field: z.string().meta({ description: 'In the words of the spec.' }),
  from: z.string().optional(),
  to: z.string().optional(),
  effect: z.enum(['live', 'restart', 'rebuild', 'refused']).meta({ description: 'What it costs.' }),
}));

/** What differs between a machine and its spec, as observe tells it. */
export const Difference = strictObject(() => ({
  does: z.array(z.string()).meta({ description: 'What apply would do first, in words.' }),
  changes: z.array(ChangeOfField),
  waiting: z.array(ChangeOfField).optional().meta({ description: 'Written, and waiting for a restart.' }),
  waitsFor: z
    .array(z.string())
    .optional()
    .meta({ description: 'What must end or come back before apply can write, in words.' }),
  warnings: z.array(z.string()).optional().meta({ description: 'What a person should know: sentences.' }),
  notes: z.array(z.string()).optional().meta({ description: 'What is so and stays so: sentences.' }),
  restart: z
    .enum(['now', 'later'])
    .optional()
    .meta({ description: 'A change needs a restart: apply restarts the machine, or leaves that to people.' }),
  adopts: z.literal(true).optional().meta({ description: 'A guest that is there comes under this owner.' }),
  node: z.string().optional().meta({ description: 'The node that it will be on, where that changes.' }),
  losses: Losses.optional().meta({ description: 'What is lost for good. Absent: nothing.' }),
  snapshots: z
    .array(SnapshotStep)
    .optional()
    .meta({ description: 'What becomes of its snapshots, those that go first. Absent: nothing.' }),
  unknown: z.string().optional().meta({ description: 'The values that are not known yet.' }),
}));
export type Difference = z.infer<typeof Difference>;

/** What observe says of one machine. The token is the mark's while the machine is in sync, else a fresh one. */
export const Observation = strictObject(() => ({
  status: z
    .enum(['in-sync', 'absent', 'different', 'refused', 'unknown', 'observed', 'paused'])
    .meta({ description: 'observed and paused: the mode of the machine, which is not written to.' }),
  token: z.string(),
  diff: z.string().meta({ description: 'JSON text of a difference; empty when there is none.' }),
  refusal: z.string().meta({ description: 'Why the plan of the whole stack fails; else empty.' }),
  alone: z.string().default('').meta({
    description:
      'Why the apply of this machine alone is refused: somebody edited its guest in Proxmox. Else empty.',
  }),
  effect: z.enum(EFFECTS),
  drift: z
    .string()
    .default('')
    .meta({ description: 'How a machine that is only observed differs; else empty.' }),
  node: z.string().meta({ description: 'Where it is; empty when it is absent or not known.' }),
  vmid: z.string().meta({ description: 'Its number; empty when it is absent or not known.' }),
}));
export type Observation = z.infer<typeof Observation>;

/** A guest of ours as it stands: what a destroy would take. */
export const HeldGuest = strictObject(() => ({
  machine: z.string(),
  entry: z.string().optional().meta({ description: 'The registry entry that holds it, as its mark says.' }),
  node: z.string(),
  vmid: z.int(),
  disks: z.record(z.string(), z.number()).meta({ description: 'Bytes by the name of the disk.' }),
  losses: Losses.optional().meta({ description: 'What a destroy of it takes.' }),
  stays: z.string().optional().meta({ description: 'Why its destroy would be refused: a sentence.' }),
  clones: z
    .array(z.int())
    .optional()
    .meta({ description: 'Of a template, the guests that are linked clones of it.' }),
  isOfImage: z.literal(true).optional().meta({
    description: 'An image made the template: it is let go while there are linked clones of it.',
  }),
}));
export type HeldGuest = z.infer<typeof HeldGuest>;

/** What observe tells besides the machines, as JSON text under `guests`: all guests of the owner. */
export const HeldGuests = strictObject(() => ({
  guests: z.array(HeldGuest),
  unread: z.int().meta({ description: 'Guests that were not looked at, because there are too many.' }),
}));
export type HeldGuests = z.infer<typeof HeldGuests>;

/**
 * What observe writes on stdout: the fields of each machine's observation, as `<id>.<field>`, and beside them `guests`,
 * `refusedAlone`: a sentence for each machine whose apply alone is refused, and `walk`: whether two observers were read in
 * the same walk of Terraform, the plan or the apply. It is not there where nothing tells that.
 */
export const ObserveResult = z.record(z.string(), z.string());
export type ObserveResult = z.infer<typeof ObserveResult>;

/** What apply reads from its environment. Nothing secret is among it. */
export const ApplyEnvironment = z.object({
  PROXMOX_PROTOCOL: protocol,
  PROXMOX_CLUSTER: Json,
  PROXMOX_OWNER: Owner,
  PROXMOX_MACHINE: MachineId,
  PROXMOX_ENTRY: z.string(),
  PROXMOX_SPEC: Json,
  PROXMOX_TOKEN: z.string(),
  PROXMOX_FLEET: Fleet.optional(),
  PROXMOX_FORMER: Json.optional(),
  PROXMOX_READS: z
    .string()
    .optional()
    .meta({ description: 'Outputs that somebody reads and only the guest tells, separated by commas.' }),
  PROXMOX_UNSHOWN: z.string().optional().meta({
    description:
      'Not empty: how it stands was read during the apply, as its spec was not known before. No plan has shown the token.',
  }),
});
export type ApplyEnvironment = z.infer<typeof ApplyEnvironment>;

/** What apply reads where it is to take a snapshot of a machine. The entry and the token are the snapshot's. */
export const SnapshotEnvironment = ApplyEnvironment.omit({
  PROXMOX_SPEC: true,
  PROXMOX_FLEET: true,
  PROXMOX_READS: true,
  PROXMOX_UNSHOWN: true,
}).extend({
  PROXMOX_SNAPSHOT: Json.meta({ description: 'JSON text of the snapshot.' }),
});
export type SnapshotEnvironment = z.infer<typeof SnapshotEnvironment>;

/** What destroy reads from its environment. It knows no spec: only whose machine it is. */
export const DestroyEnvironment = ApplyEnvironment.pick({
  PROXMOX_PROTOCOL: true,
  PROXMOX_CLUSTER: true,
  PROXMOX_OWNER: true,
  PROXMOX_MACHINE: true,
  PROXMOX_ENTRY: true,
}).extend({
  PROXMOX_SNAPSHOT: SnapshotName.optional().meta({
    description: "Only this snapshot of the machine is removed; the entry is the snapshot's.",
  }),
  PROXMOX_MAY_BE_RENAMED: z.string().optional().meta({
    description: 'Not empty: the machine may have another id by now, and its entry alone finds it.',
  }),
});
export type DestroyEnvironment = z.infer<typeof DestroyEnvironment>;

/** What facts reads on stdin. Without a machine it asks for the cluster and its nodes. */
export const FactsQuery = strictObject(() => ({
  protocol,
  cluster: Json,
  owner: Owner,
  machine: MachineId.optional(),
  images: Json.optional().meta({
    description: 'JSON text of images: only what they become is told, and nobody is asked.',
  }),
  existing: Json.optional().meta({
    description: "JSON text that says which guest, or guests, are read that stay somebody else's.",
  }),
  revision: z.string().optional().meta({ description: 'Only orders facts after the apply.' }),
  required: z
    .string()
    .optional()
    .meta({ description: 'Outputs that a machine which is there must have, separated by commas.' }),
}));
export type FactsQuery = z.infer<typeof FactsQuery>;

/**
 * What facts writes on stdout: JSON texts in a flat map; empty for a machine that is absent. `staleAddresses` is there
 * where `ipAddresses` are those that were last known: a sentence that says why the guest tells none now. `waitingAddresses`
 * is there where others are set, and wait for a restart. For `existing` it is an answer of its own, see below.
 */
export const FactsResult = z.record(z.string(), z.string());
export type FactsResult = z.infer<typeof FactsResult>;

/** What facts writes on stdout for `existing`. */
export const ExistingResult = strictObject(() => ({
  outputs: Json.meta({ description: 'JSON text of the outputs of one guest, or of a list of them.' }),
  problem: z.string().meta({
    description:
      'Why nothing is told; else empty. The outputs are blank then, and a destroy can go on with them.',
  }),
  whyNoAddress: z.string().meta({ description: 'Why addresses are missing in the outputs; else empty.' }),
}));
export type ExistingResult = z.infer<typeof ExistingResult>;

/** What a fresh token says to apply: what the plan found, where the machine is or is to be, and the worst that it showed. */
export const PlanToken = strictObject(() => ({
  n: z.string().meta({ description: 'A nonce, so that the token differs each time.' }),
  node: z.string().optional(),
  vmid: z.int().optional().meta({ description: 'The id planned for a new machine: taken while it is free.' }),
  worst: z.enum(EFFECTS).optional(),
  found: z.enum(['absent', 'running', 'stopped', 'ours']).optional().meta({
    description:
      'What the plan found: apply then reads this machine alone. Without it, and for "ours" (a guest of it, of which more is to be read), apply reads all.',
  }),
  adopts: z.string().optional().meta({
    description: 'The uuid of the guest that it was to adopt, or whose mark it was to write again.',
  }),
  losses: z.array(z.string()).optional().meta({
    description:
      'Of a machine that is there: the volumes, snapshots and entries elsewhere that go, by their names.',
  }),
  generation: z.string().optional().meta({
    description:
      'Where anything goes: the first eight digits of its vmgenid. With another one it was rolled back or restored since, and other disks may have those names.',
  }),
  pool: z.string().optional().meta({ description: 'The pool that it was in.' }),
  source: strictObject(() => ({ node: z.string(), vmid: z.int() }))
    .optional()
    .meta({ description: 'What a new machine is to be cloned from.' }),
}));
export type PlanToken = z.infer<typeof PlanToken>;
