/** Something that happens in the cluster without any request. */
export type WorldEvent =
  | { kind: 'node'; action: NodeAction; node: string }
  /** Nobody has a majority any more, or again; the nodes stay as they are. */
  | { kind: 'quorum'; quorate: boolean }
  /** Somebody else writes a guest's configuration. */
  | { kind: 'edit'; vmid: number; set: Record<string, string>; delete: string[] }
  /** Somebody else moves a guest, with its local disks. */
  | { kind: 'move'; vmid: number; node: string }
  /** Somebody else locks a guest's configuration, or lifts the lock with an empty text. */
  | { kind: 'lock'; vmid: number; lock: string }
  /** Somebody else holds the lock file of a guest for so much simulated time. */
  | { kind: 'flock'; vmid: number; ms: number }
  /** Somebody else fills a storage. */
  | { kind: 'storage-full'; storage: string };

export const NODE_ACTIONS = [
  'api-down',
  'api-up',
  'node-down',
  'node-up',
  'quorum-loss',
  'quorum-restore',
] as const;

export type NodeAction = (typeof NODE_ACTIONS)[number];
