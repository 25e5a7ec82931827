import type { World } from '../../../simulator';
import type { LedgerEntry } from '../../../simulator/control/ledger';

/** A guest as it stands, by what a person would see of it. */
export interface Standing {
  vmid: number;
  uuid: string;
  /** The process of a guest that runs. */
  pid: number | undefined;
  /** What will be after the next start: keys of the configuration, and where it is. Our mark and tag are left out. */
  keys: Record<string, string>;
  /** Slots of named disks and networks, as the mark has them. */
  slots: Record<string, string>;
}

/** What became of one machine. */
export type Deed =
  | 'absent'
  | 'created'
  | 'destroyed'
  | 'rebuilt'
  | 'adopted'
  | 'restarted'
  | 'stopped'
  | 'changed'
  | 'written'
  | 'untouched';

interface Mark {
  m: string;
  d?: Record<string, string>;
  n?: Record<string, string>;
}

const LINE = /<!-- pvr:(.*) -->\s*$/;

/** The guests of a world by the machine that their mark names; one without a mark by `vm<id>`. */
export function standing(world: World): Record<string, Standing> {
  return Object.fromEntries(
    Object.values(world.guests).flatMap(guest => {
      const { vmid, node, config, pending, pendingDelete, running, type } = guest;
      const mark = markOf(config['description']);
      if (type !== 'qemu' || (config['template'] === '1' && mark === undefined)) return [];
      const next: Record<string, string> = {
        ...config,
        ...pending,
        node,
        power: running ? 'running' : 'stopped',
        ...besideOf(world, vmid),
      };
      Object.keys(pendingDelete).forEach(key => delete next[key]);
      const one: Standing = {
        vmid,
        uuid: /uuid=([^,]+)/.exec(config['smbios1'] ?? '')?.[1] ?? '',
        pid: running?.pid,
        keys: shown(next),
        slots: { ...named('disks', mark?.d), ...named('networks', mark?.n) },
      };
      return [[mark?.m ?? `vm${vmid}`, one] as const];
    }),
  );
}

/** What Proxmox keeps of a guest outside its configuration, by the words of a spec. */
function besideOf({ pools, ha }: World, vmid: number): Record<string, string> {
  const pool = Object.entries(pools).find(([, { vms }]) => [...vms].includes(vmid));
  const resource = ha.resources[`vm:${vmid}`];
  return { ...(pool && { pool: pool[0] }), ...(resource && { ha: JSON.stringify(resource) }) };
}

/** What became of a machine between two readings, with the writes that went to its guest meanwhile. */
export function deedOf(id: string, before: Standings, after: Standings, writes: LedgerEntry[]): Deed {
  const now = after[id];
  const then = before[id] ?? Object.values(before).find(one => isSame(one, now, before));
  if (!then) return now ? 'created' : 'absent';
  if (!now) return 'destroyed';
  if (before[`vm${now.vmid}`] && !before[id]) return 'adopted';
  if (then.uuid !== now.uuid) return 'rebuilt';
  if (then.pid !== undefined && now.pid !== undefined && then.pid !== now.pid) return 'restarted';
  if (then.pid !== undefined && now.pid === undefined) return 'stopped';
  if (changedKeys(id, before, after).length > 0) return 'changed';
  const isWritten = writes.some(
    ({ path }) => path.includes(`/qemu/${now.vmid}/`) && !path.endsWith(`/qemu/${now.vmid}/clone`),
  );
  return isWritten ? 'written' : 'untouched';
}

/** A new machine may get the number of one that went; one that is called otherwise keeps its uuid, too. */
function isSame(one: Standing, now: Standing | undefined, before: Standings): boolean {
  return one.vmid === now?.vmid && (one.uuid === now.uuid || before[`vm${one.vmid}`] === one);
}

type Standings = Readonly<Record<string, Standing>>;

/** The keys of a guest that are other than before, in their order. */
export function changedKeys(id: string, before: Standings, after: Standings): string[] {
  const now = after[id];
  const then = before[id] ?? Object.values(before).find(one => one.vmid === now?.vmid);
  const [one, other] = [then?.keys ?? {}, now?.keys ?? {}];
  return Object.keys({ ...one, ...other })
    .filter(key => one[key] !== other[key])
    .sort();
}

/** The keys that a review's fields stand for. */
export function keysOf(fields: string[], { slots }: Standing): string[] {
  const keys = fields.map(field => {
    const [, device = ''] = /^((?:disks|networks)\[[^\]]+\])/.exec(field) ?? [];
    return slots[device] ?? KEYS[field] ?? field;
  });
  return [...new Set(keys)].sort();
}

const KEYS: Record<string, string> = { 'cpu.cores': 'cores', startOnBoot: 'onboot', 'memory.max': 'memory' };

const UNSEEN = new Set(['digest', 'meta', 'vmgenid', 'boot']);

function shown(config: Record<string, string>): Record<string, string> {
  const entries = Object.entries(config).filter(([key]) => !UNSEEN.has(key));
  return Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const seen =
        key === 'description' ? value.replace(LINE, '').trim() : key === 'tags' ? withoutOurs(value) : value;
      return seen === '' ? [] : [[key, seen]];
    }),
  );
}

function withoutOurs(tags: string): string {
  return tags
    .split(/[;, ]+/)
    .filter(tag => !tag.startsWith('pvr-'))
    .join(';');
}

function markOf(description = ''): Mark | undefined {
  const [, json] = LINE.exec(description) ?? [];
  return json === undefined ? undefined : (JSON.parse(json) as Mark);
}

function named(list: string, slots: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(slots).map(([name, slot]) => [`${list}[${name}]`, slot]));
}
