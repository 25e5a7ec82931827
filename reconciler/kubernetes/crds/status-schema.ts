type Schema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const whole = { type: 'integer' };

const condition = {
  type: 'object',
  properties: {
    type: text,
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: text,
    message: text,
    observedGeneration: whole,
    lastTransitionTime: { type: 'string', format: 'date-time' },
  },
  required: ['type', 'status', 'reason', 'message', 'lastTransitionTime'],
};

/** What every status has. */
const COMMON = {
  observedGeneration: { ...whole, description: 'The generation of the resource that this is said of.' },
  conditions: {
    type: 'array',
    items: condition,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  },
};

const MACHINE = {
  phase: { ...text, description: 'Pending, Creating, Running, Stopped or Error.' },
  vmid: whole,
  node: text,
  cluster: text,
  ipAddresses: { type: 'array', items: text },
  consoleUrl: text,
  lastUpdated: { type: 'string', format: 'date-time' },
};

const CLUSTER = {
  proxmox: {
    ...text,
    description: 'The name of the Proxmox that answers, and the fingerprint of its root certificate.',
  },
  ready: { type: 'boolean' },
  version: text,
  lastHealthCheck: { type: 'string', format: 'date-time' },
};

const NODE = { ready: { type: 'boolean' }, vmCount: whole };

/** The status of a resource, by what it becomes. More may stand in it than is described here. */
export function statusSchema(role: 'machine' | 'cluster' | 'node' | 'other'): Schema {
  const own = { machine: MACHINE, cluster: CLUSTER, node: NODE, other: {} }[role];
  return {
    description: 'How it stands. Written by pve-reconciler only.',
    type: 'object',
    'x-kubernetes-preserve-unknown-fields': true,
    properties: { ...own, ...COMMON },
  };
}
