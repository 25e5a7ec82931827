import * as z from 'zod';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';

const bytes = z.int().min(0);
const count = z.int().min(0);
const time = z.string().meta({ format: 'date-time' });

/** The conditions of a machine, and the reasons each may give. */
export const CONDITION_REASONS = {
  VMCreated: ['CreationSucceeded', 'CreationFailed'],
  ResourcesAllocated: ['AllocationSucceeded', 'InsufficientResources'],
  NetworkConfigured: ['NetworkReady', 'NetworkError'],
} as const;

/** One statement about a machine, and since when it holds. */
export const Condition = strictObject(() => ({
  type: z.enum(['Ready', 'VMCreated', 'ResourcesAllocated', 'NetworkConfigured']),
  status: z.enum(['True', 'False', 'Unknown']),
  reason: z.string(),
  message: z.string(),
  lastTransitionTime: optional(
    time,
    'Since when it has this status. Told by the daemon, which has seen it change; nobody else remembers.',
  ),
}));
export type Condition = z.infer<typeof Condition>;

const PendingChange = strictObject(() => ({
  field: z.string().meta({ description: 'The field that waits for a restart.' }),
  from: z.string().optional(),
  to: z.string().optional(),
}));

const SnapshotOutput = strictObject(() => ({
  name: z.string(),
  parent: z.string().optional(),
  description: z.string().optional(),
  includesMemory: z.boolean().optional(),
}));

const CpuOutput = strictObject(() => ({
  cores: count.meta({ description: 'Of each socket, as PVE counts.' }),
  sockets: count,
  threads: count.meta({ description: 'The processors that the guest sees: cores × sockets.' }),
}));

const DiskOutput = strictObject(() => ({ slot: z.string(), volume: z.string(), size: bytes }));

/** What is known about a machine. Without vmid there is no guest yet. */
export const MachineOutputs = strictObject(() => ({
  vmid: optional(z.int(), "The guest's number."),
  node: optional(z.string(), 'The node it is on.'),
  uuid: optional(z.string(), 'The SMBIOS uuid: it tells a guest from its copies.'),
  name: optional(z.string(), "The guest's name."),
  madeFrom: optional(z.string(), 'The image that it was made from, as its mark remembers it.'),
  phase: z.enum(['Pending', 'Creating', 'Running', 'Stopped', 'Error']),
  conditions: z.array(Condition),
  powerState: z.enum(['running', 'stopped', 'paused', 'suspended', 'unknown']),
  cpu: optional(CpuOutput, 'Processors.'),
  ipAddresses: z
    .array(z.string())
    .meta({ description: 'Those of its own network cards. Both families, without loopback and link-local.' }),
  macAddresses: z.record(z.string(), z.string()).meta({ description: 'By the name of the network.' }),
  disks: z.record(z.string(), DiskOutput).meta({ description: 'By the name of the disk.' }),
  restartRequired: z.boolean(),
  pendingChanges: z.array(PendingChange),
  mode: optional(z.enum(['observe', 'paused']), 'Given where the machine is not written to.'),
  consoleUrl: optional(z.string(), 'Where the console opens in a browser.'),
  snapshots: z.array(SnapshotOutput),
  lastUpdated: optional(
    time,
    'When it was read by status, or last worked on by the daemon. Not told to Terraform, which must come to rest.',
  ),
}));
export type MachineOutputs = z.infer<typeof MachineOutputs>;

/** What is known of a guest that is only read. What is not known is null, so that each field is always there. */
export const ExistingOutputs = strictObject(() => ({
  vmid: z.int().meta({ description: "The guest's number." }),
  node: z.string().meta({ description: 'The node it is on.' }),
  name: z.string().nullable().meta({ description: "The guest's name." }),
  uuid: z.string().nullable().meta({ description: 'The SMBIOS uuid: it tells a guest from its copies.' }),
  powerState: MachineOutputs.shape.powerState,
  cpu: CpuOutput,
  memory: bytes.meta({ description: 'Bytes, as its configuration says.' }),
  primaryIpAddress: z.string().nullable().meta({
    description: 'Its first IPv4 address, or its first address; null where none is known.',
  }),
  ipAddresses: MachineOutputs.shape.ipAddresses,
  whyNoAddress: z.string().nullable().meta({ description: 'Why no address is known: a sentence, or null.' }),
  macAddresses: MachineOutputs.shape.macAddresses,
  disks: MachineOutputs.shape.disks,
  tags: z.array(z.string()),
  pool: z.string().nullable(),
  consoleUrl: z.string().meta({ description: 'Where the console opens in a browser.' }),
}));
export type ExistingOutputs = z.infer<typeof ExistingOutputs>;

/** What comes back for guests that are only read: one, a list by a tag, or why there is none. */
const ExistingAnswer = z.union([
  ExistingOutputs,
  z.array(ExistingOutputs),
  strictObject(() => ({ problem: z.string() })),
]);

const Share = strictObject(() => ({
  total: z.number().min(0),
  used: optional(z.number().min(0), 'Only in status and the daemon.'),
}));

/** What is known about a node. */
export const NodeStatus = strictObject(() => ({
  name: z.string(),
  ready: z.boolean().meta({ description: 'Online, and not in maintenance.' }),
  online: z.boolean(),
  resources: optional(
    strictObject(() => ({ cpu: Share, memory: Share, storage: Share })),
    'Cores, and bytes of memory and storage.',
  ),
  vmCount: count,
}));
export type NodeStatus = z.infer<typeof NodeStatus>;

/** What is known about a cluster. */
export const ClusterStatus = strictObject(() => ({
  ready: z.boolean(),
  version: optional(z.string(), 'Version of Proxmox VE.'),
  quorate: optional(z.boolean(), 'The cluster has its quorum.'),
  nodes: z.array(NodeStatus),
  lastHealthCheck: optional(time, 'Only in status and the daemon.'),
}));
export type ClusterStatus = z.infer<typeof ClusterStatus>;

/** Everything that comes back for one desired state. */
export const Outputs = strictObject(() => ({
  machines: z.record(z.string(), MachineOutputs).meta({ description: 'By the id of the machine.' }),
  cluster: optional(ClusterStatus, 'The cluster.'),
  existing: optional(z.record(z.string(), ExistingAnswer), 'The guests that are only read, by their ids.'),
}));
export type Outputs = z.infer<typeof Outputs>;
