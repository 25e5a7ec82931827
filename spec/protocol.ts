import * as z from 'zod';
import { strictObject } from './strict-object';

/** The version of the words below. Both sides state theirs; a difference is an error, never a guess. */
export const PROTOCOL_VERSION = 1;

const Json = z.string().meta({ description: 'JSON text.' });
const Fleet = Json.meta({ description: 'JSON text of all machines that placement must know: a fleet.' });
const protocol = z.string().meta({ description: 'The protocol version.' });

/** What observe reads on stdin: one flat map of texts, with `spec.<id>` and `entry.<id>` for each machine. */
export const ObserveQuery = z
  .object({ protocol, cluster: Json, owner: z.string(), fleet: Fleet.optional() })
  .catchall(z.string());
export type ObserveQuery = z.infer<typeof ObserveQuery>;

/** The cost of what a plan would do to a machine, cheapest first. */
export const EFFECTS = ['none', 'create', 'adopt', 'live', 'restart', 'rebuild', 'refused'] as const;

/** What observe says of one machine. The token is the mark's while the machine is in sync, else a fresh one. */
export const Observation = strictObject(() => ({
  status: z.enum(['in-sync', 'absent', 'different', 'refused', 'unknown']),
  token: z.string(),
  diff: z.string(),
  refusal: z.string(),
  effect: z.enum(EFFECTS),
}));
export type Observation = z.infer<typeof Observation>;

/** What observe writes on stdout: the fields of each machine's observation, as `<id>.<field>`. */
export const ObserveResult = z.record(z.string(), z.string());
export type ObserveResult = z.infer<typeof ObserveResult>;

/** What apply reads from its environment. Nothing secret is among it. */
export const ApplyEnvironment = z.object({
  PROXMOX_PROTOCOL: protocol,
  PROXMOX_CLUSTER: Json,
  PROXMOX_OWNER: z.string(),
  PROXMOX_MACHINE: z.string(),
  PROXMOX_ENTRY: z.string(),
  PROXMOX_SPEC: Json,
  PROXMOX_TOKEN: z.string(),
  PROXMOX_FLEET: Fleet.optional(),
  PROXMOX_FORMER: Json.optional(),
});
export type ApplyEnvironment = z.infer<typeof ApplyEnvironment>;

/** What destroy reads from its environment. It knows no spec: only whose machine it is. */
export const DestroyEnvironment = ApplyEnvironment.pick({
  PROXMOX_PROTOCOL: true,
  PROXMOX_CLUSTER: true,
  PROXMOX_OWNER: true,
  PROXMOX_MACHINE: true,
  PROXMOX_ENTRY: true,
});
export type DestroyEnvironment = z.infer<typeof DestroyEnvironment>;

/** What facts reads on stdin. Without a machine it asks for the cluster and its nodes. */
export const FactsQuery = strictObject(() => ({
  protocol,
  cluster: Json,
  owner: z.string(),
  machine: z.string().optional(),
  revision: z.string().optional().meta({ description: 'Only orders facts after the apply.' }),
  required: z
    .string()
    .optional()
    .meta({ description: 'Outputs that a machine which is there must have, separated by commas.' }),
}));
export type FactsQuery = z.infer<typeof FactsQuery>;

/** What facts writes on stdout: JSON texts in a flat map; empty for a machine that is absent. */
export const FactsResult = z.record(z.string(), z.string());
export type FactsResult = z.infer<typeof FactsResult>;

/** What a fresh token says to apply: the planned node of a new machine, and the worst effect that the plan showed. */
export const PlanToken = strictObject(() => ({
  n: z.string().meta({ description: 'A nonce, so that the token differs each time.' }),
  node: z.string().optional(),
  worst: z.enum(EFFECTS).optional(),
}));
export type PlanToken = z.infer<typeof PlanToken>;
