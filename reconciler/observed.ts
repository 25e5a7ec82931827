import type { Objection } from './action';
import type { Mark } from './mark/mark';

/** Proxmox as it is, in plain data. Planning sees this and the spec, and nothing else. */
export interface ObservedCluster {
  version: string;
  /** Undefined: the caller may not know (no Sys.Audit on /), or nobody has asked (`NOT_READ`). */
  quorate: boolean | undefined;
  nodes: ObservedNode[];
  /** Every guest that the caller may see: ours, others', templates, containers. */
  guests: ListedGuest[];
  /** Limits that the datacenter sets for automatic ids; both ends are ours to use. */
  nextId: { lower: number; upper: number };
  permissions: Record<string, Record<string, number>>;
  /** Who asks, as Proxmox names him: `user@realm`, or `user@realm!token`. Absent: nothing is held against him. */
  caller?: string;
  /** His privileges are not told to him: guests may be hidden from him, and nobody knows. */
  rightsHidden?: true;
  /** Absent: the caller may not read them. */
  tagRules?: TagRules;
}

/** Whether the cluster says that a node is down: what is asked of it would be waited for in vain. */
export function isDown({ nodes }: Pick<ObservedCluster, 'nodes'>, node: string): boolean {
  return nodes.some(({ name, online }) => name === node && !online);
}

/**
 * Whether the caller may see guests at all. Without VM.Audit Proxmox lists nothing and says nothing of it, so an
 * empty list would prove nothing.
 */
export function maySeeGuests({ permissions, guests, caller, rightsHidden }: ObservedCluster): boolean {
  // nobody's rights are known where no server tells any
  if (caller === undefined && !rightsHidden) return true;
  return guests.length > 0 || Object.values(permissions).some(privileges => 'VM.Audit' in privileges);
}

/** What to do where they may not be seen. `where`: the paths on which the privilege is enough. */
export function sightRemedy({ rightsHidden }: Pick<ObservedCluster, 'rightsHidden'>, where = '/vms'): string {
  const grant = `Grant VM.Audit on ${where} to the user, and to the token if it has rights of its own.`;
  if (rightsHidden !== true) return grant;
  return `${grant} The server does not tell what the user may do, which would tell the cause: let what stands in front of Proxmox pass GET /access/permissions.`;
}

/** Whether no guest is hidden from the caller, so that one which is not listed is not there. */
export function maySeeAllGuests({ permissions, caller, rightsHidden }: ObservedCluster): boolean {
  if (rightsHidden) return false;
  if (caller === undefined || caller === 'root@pam') return true;
  const onGuests = permissions['/vms'] ?? permissions['/'] ?? {};
  const single = Object.entries(permissions).filter(([path]) => path.startsWith('/vms/'));
  return onGuests['VM.Audit'] === 1 && single.every(([, privileges]) => 'VM.Audit' in privileges);
}

/** The datacenter's rules for tags; absent: the caller may not read them. */
export interface TagRules {
  /** Who may use which tags without Sys.Modify on /: all, those in use and listed, those listed, none. */
  access: 'free' | 'existing' | 'list' | 'none';
  /** Tags that only Sys.Modify on / gives. */
  registered: readonly string[];
  /** Tags in use or listed, as Proxmox tells this caller. */
  allowed: readonly string[];
}

export interface ObservedNode {
  name: string;
  online: boolean;
  maintenance: boolean;
  cpus: number;
  memory: number;
  memoryUsed: number;
  /** Read only for nodes that a plan may use; absent: not read. */
  bridges?: string[];
  storages?: ObservedStorage[];
  /** The storages as the cluster's listing tells them; absent: it does not tell all. */
  listedStorages?: ObservedStorage[];
}

export interface ObservedStorage {
  name: string;
  type: string;
  content: string[];
  shared: boolean;
  active: boolean;
  /** Undefined: not told. */
  available: number | undefined;
  /** With what is taken. Absent: not told. */
  total?: number;
}

/** One row of the cluster's listing. Name and power lag by up to ten seconds. */
export interface ListedGuest {
  vmid: number;
  type: 'qemu' | 'lxc';
  node: string;
  name: string | undefined;
  tags: string[];
  template: boolean;
  power: 'running' | 'stopped' | 'unknown';
  /** It stands still, by qemu's word. Absent: it does not, or nobody asked. */
  still?: string | undefined;
  lock: string | undefined;
  pool: string | undefined;
  haManaged: boolean;
  memory: number;
  /** Of its node, at this moment. Absent: not told. */
  memoryTaken?: number;
}

/** One guest with its configuration, as one read of it gave. */
export interface ObservedGuest {
  vmid: number;
  node: string;
  digest: string;
  /** What runs now. */
  current: Record<string, string>;
  /** What waits for a restart; null: the key goes. */
  pending: Record<string, string | null>;
  /** Of what goes, the keys whose volumes Proxmox deletes with them. Absent: none. */
  forced?: readonly string[];
  power: 'running' | 'stopped' | 'unknown';
  /** It stands still, by qemu's word, as its node listed it. Absent: it does not, or nobody asked. */
  still?: string | undefined;
  lock: string | undefined;
  pool: string | undefined;
  haManaged: boolean;
  template: boolean;
  /** The cloud-init drive lags behind the configuration, as the mark says: PVE's own list leaves addresses out. */
  cloudInitStale?: boolean;
  /** The user's part of the description. */
  description: string;
  mark: Mark | undefined;
}

/** What became of a mark: it is not there, it cannot be read, or it is not true of the guest. */
export type LostMark = 'gone' | 'damaged' | 'untrue';

/** What there is of one machine of the spec. */
export type ObservedMachine =
  /** `making`: at the id that the spec gives a guest is being made, and nothing tells yet whose it is. */
  | { kind: 'absent'; making?: ObservedGuest }
  /**
   * Ours. `unfinished`: it waits for its first configuration, which comes before anything else. `lostMark`: its mark was
   * edited away, how so, and tag and uuid prove it all the same; the guest is told without a mark.
   */
  | { kind: 'present'; guest: ObservedGuest; unfinished: boolean; lostMark?: LostMark }
  /**
   * The guest that the spec asks to adopt: not ours yet. `lostMark`: its mark was edited away, and its uuid says that another
   * Terraform state made it, or none.
   */
  | { kind: 'adoptable'; guest: ObservedGuest; lostMark?: LostMark }
  /** Something stands in the way: who and why, in words. Nothing may be written. */
  | ({ kind: 'refused' } & Objection);

/** Who else has to do with a volume, in words. */
export interface VolumeUse {
  /** Guests whose configuration, or a snapshot of it, names it. */
  users: string[];
  /** Guests that could not be read, and may name it. */
  unread: string[];
  /** The guest whose number the volume carries. */
  owner?: string | undefined;
  /** Not all guests are seen: one that is not listed may use it. */
  isDoubtful?: true;
}
