/** What an option takes. Every option but `help` and `version` has a variable of the same name: `--task-ms`, PVE_SIM_TASK_MS. */
export interface Option {
  /** How the help names its value. Absent: it takes none. */
  takes?: string;
  says: string;
}

export interface NumberOption extends Option {
  /** The value when nobody says otherwise. */
  otherwise: number;
  least?: number;
  most?: number;
  /** Whether parts of 1 are allowed. */
  parts?: boolean;
}

export const TEXTS = {
  world: { takes: 'NAME|FILE', says: 'start with this world: WORLDS, or a file' },
  host: { takes: 'ADDRESS', says: 'listen here (127.0.0.1)' },
  'allowed-host': {
    takes: 'NAME',
    says: 'serve /_sim under this name too, and certify it, besides addresses and localhost (several: a,b)',
  },
  password: { takes: 'TEXT', says: 'the password of root@pam (simulated)' },
  faults: { takes: 'FILE', says: 'faults that are set from the start' },
  administrators: {
    takes: 'FILE',
    says: 'others who work on the cluster, as data; what they do follows the seed',
  },
  state: { takes: 'FILE', says: 'keep the world here between runs; an existing file wins over --world' },
  'ready-file': { takes: 'FILE', says: 'write the line here too, when it listens' },
} as const satisfies Record<string, Option>;

export const NUMBERS = {
  nodes: { takes: 'N', says: 'without a world: so many nodes (3)', otherwise: 3, least: 1, most: 64 },
  guests: { takes: 'N', says: 'without a world: so many guests more (0)', otherwise: 0, most: 100_000 },
  port: { takes: 'N', says: 'listen on this port (0: any free one)', otherwise: 0, most: 65_535 },
  seed: { takes: 'N', says: 'the same seed gives the same ids, MACs and faults (1)', otherwise: 1 },
  'time-scale': {
    takes: 'X',
    says: 'time runs X times as fast (1); 0: only when /_sim/clock says so',
    otherwise: 1,
    parts: true,
  },
  'task-ms': { takes: 'N', says: 'every task takes so long (by its type)', otherwise: 0 },
  'lag-ms': { takes: 'N', says: '/cluster/resources lags so far behind (0)', otherwise: 0 },
  'latency-ms': {
    takes: 'N',
    says: 'each request takes so long at least (0; a real cluster: 20 to 60)',
    otherwise: 0,
  },
  'cleanup-ms': {
    takes: 'N',
    says: "a guest that starts again soon is locked so long by Proxmox's own clean-up (0; Proxmox: 30000)",
    otherwise: 0,
  },
  'unauthorized-ms': { takes: 'N', says: 'a 401 waits so long (0; Proxmox: 3000)', otherwise: 0 },
} as const satisfies Record<string, NumberOption>;

export const FLAGS = {
  version: { says: 'show the version' },
  help: { says: 'show this' },
} as const satisfies Record<string, Option>;

export type TextName = keyof typeof TEXTS;
export type NumberName = keyof typeof NUMBERS;
