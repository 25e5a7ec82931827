import type { Met } from '../../../simulator/faults/faults';
import type { Guest, World } from '../../../simulator/world';
import { isMadeFor } from '../../../reconciler/mark/machine-uuid';
import { ownerTag } from '../../../reconciler/mark/owner-tag';
import { administratorOf } from '../cluster/administrator';
import { marked } from '../cluster/end-state';
import type { Lab } from '../cluster/lab';
import { ADMINISTRATOR } from '../cluster/start-cluster';
import { AT_ONCE } from '../processes/machines-at-once';
import type { Act } from './second-actor';
import { THEIRS } from './second-actor';

/** The id that a lab's first machine gets. */
const FIRST = 10_000;

/** What Proxmox compares a digest for: it refuses what comes late, so nothing of it may be seen. */
const COMPARED = /\/qemu\/\d+\/(?:config|resize|move_disk)$/;

/** What tells whose a guest is. */
const READ = /^GET \S+\/qemu\/\d+\/(?:pending|config)$/;

/** Where Proxmox compares nothing: what comes late is done. The one window that there is (docs/adr/0011). */
const WINDOW =
  /^(?:DELETE \S+\/qemu\/\d+|POST \S+\/(?:status\/(?:start|stop|shutdown)|migrate)|PUT \S+\/cloudinit|PUT \/pools|\w+ \S+\/snapshot(?:\/\S+)?)$/;

/** Requests whose answer no act can change: before one of them and before the next is the same moment. */
const SAME =
  /^GET (?:\/version|\/access\/permissions|\/cluster\/(?:options|status)|\/nodes\/\w+\/(?:storage|network|tasks)|\/nodes\/pve3\/qemu|\/nodes\/\w+\/qemu\/9000\/\w+)$/;

/** Somebody else acts before request number `k` of a run; every write is compared with whose the guest is when it comes. */
export class WatchedRun {
  private seen = 0;
  private lastVmid = FIRST;
  /** Whether the act was done; undefined: its time did not come. */
  acted: boolean | undefined;
  /** What is not ours, as it was when the act was done, by id. */
  private foreign: Record<string, string>;
  private readonly wrong: string[] = [];
  private hasBegun = false;
  /** The guests of which the last that was asked is their configuration, before the act. */
  private readonly justRead = new Set<number>();
  /** The one write that came late to a guest that the act took from us. */
  private late: { line: string; vmid: number } | undefined;

  constructor(
    private readonly cluster: Lab,
    private readonly act: Act,
    private readonly k: number,
    /** Of several machines at work, the requests of others may come between an act and the write that it makes late. */
    private readonly machines = 1,
    /** Whether an act that could not be done before request `k` is tried before each one after it, until it is done. */
    private readonly triesAgain = false,
  ) {
    this.foreign = foreignOf(cluster.world);
  }

  /** Called before each request that the cluster gets. */
  async before({ method, path, user }: Met): Promise<void> {
    const line = `${method} ${path}`;
    if (user === ADMINISTRATOR.id || SAME.test(line)) return;
    const vmid = this.targetOf(line);
    const isDue = this.seen === this.k || (this.triesAgain && this.acted === false);
    this.seen += 1;
    if (isDue) await this.doAct();
    this.judge(line, vmid, this.machines === 1 ? isDue : vmid !== undefined && this.justRead.has(vmid));
    this.note(line);
  }

  /** One write may come late: the one before which the act was done. */
  private judge(line: string, vmid: number | undefined, mayBeLate: boolean): void {
    if (vmid === undefined || isOurs(this.cluster.world.guests[vmid])) return;
    if (mayBeLate && this.hasBegun && this.late === undefined) this.late = { line, vmid };
    else if (!COMPARED.test(line)) this.wrong.push(line);
  }

  private note(line: string): void {
    const asked = /\/qemu\/(\d+)/.exec(line)?.[1];
    if (asked === undefined) return;
    // a write that Proxmox compares tells whose the guest is as a reading does
    const isTold = READ.test(line) || COMPARED.test(line);
    if (this.acted !== true && isTold) this.justRead.add(Number(asked));
    else this.justRead.delete(Number(asked));
  }

  /** What was done to what is not ours, in words; empty when all is well. */
  faults(): string[] {
    const { late } = this;
    const now = foreignOf(this.cluster.world);
    const isWindow = late !== undefined && WINDOW.test(late.line);
    const isKnown = late === undefined || isWindow || COMPARED.test(late.line);
    const harmed = Object.keys(this.foreign).filter(
      id => this.foreign[id] !== now[id] && !(isWindow && String(late.vmid) === id),
    );
    return [
      ...this.wrong.map(line => `${line}: it was not ours`),
      ...(isKnown ? [] : [`${late.line} came late, and nothing refuses it`]),
      ...harmed.map(id => `guest ${id} is not ours: ${this.foreign[id]} became ${now[id]}`),
    ];
  }

  private async doAct(): Promise<void> {
    this.hasBegun = true;
    const { world } = this.cluster;
    const guest = marked(world, 'web').find(isOurs) ?? world.guests[FIRST];
    const at = guest && `/nodes/${guest.node}/qemu/${guest.vmid}`;
    const to = { admin: administratorOf(this.cluster), cluster: this.cluster };
    this.acted = guest && at !== undefined ? await this.act({ ...to, guest, at }) : false;
    this.foreign = foreignOf(world);
  }

  /** The guest that a write goes to. A clone only reads what its path names. */
  private targetOf(line: string): number | undefined {
    const told = /\/qemu\/(\d+)/.exec(line)?.[1];
    if (told !== undefined && !line.endsWith('/clone')) this.lastVmid = Number(told);
    if (line.startsWith('GET ') || line.endsWith('/clone')) return undefined;
    return told === undefined && !line.endsWith('/pools') ? undefined : this.lastVmid;
  }
}

/**
 * Whether a guest carries our mark and its uuid, or is our clone that was not configured yet. The uuid of a clone that
 * somebody started before that waits for a restart (ADR 0012).
 */
export function isOurs(guest: Guest | undefined): boolean {
  if (guest === undefined || Object.values(THEIRS).includes(guest.vmid)) return false;
  const { description = '', smbios1 = '' } = guest.config;
  const mark = /<!-- pvr:(.*) -->/.exec(description)?.[1] ?? '{}';
  const { o, m, u, b } = JSON.parse(mark) as Record<string, unknown>;
  const uuids = [smbios1, String(guest.pending['smbios1'] ?? '')];
  return (
    o === 'team/lab' &&
    AT_ONCE.includes(String(m)) &&
    (b === 1 || uuids.some(text => text.includes(`uuid=${String(u)}`)))
  );
}

/**
 * Whether tag and uuid prove a guest ours whose mark somebody took away (docs/adr/0021): its configuration may be written, as
 * that is how it gets the mark again. Nothing else may be done to it before.
 */
function isProvenWithout({ config, vmid }: Guest): boolean {
  const { tags = '', smbios1 = '' } = config;
  const uuid = /uuid=([\da-f-]+)/.exec(smbios1)?.[1];
  const isMade = (id: string): boolean =>
    tags.includes(ownerTag('team/lab', id)) && isMadeFor(uuid, { owner: 'team/lab', ids: [id] });
  return !Object.values(THEIRS).includes(vmid) && AT_ONCE.some(isMade);
}

/** Every guest that is not ours, whole, with its volumes. */
function foreignOf({ guests, volumes }: World): Record<string, string> {
  const others = Object.values(guests).filter(
    guest => !isOurs(guest) && !isProvenWithout(guest) && !isBeingMade(guest),
  );
  return Object.fromEntries(
    others.map(({ vmid, node, config, pending, snapshots, running }) => {
      const disks = volumes
        .filter(volume => volume.vmid === vmid)
        .map(({ volid, size }) => ({ volid, size }));
      const runs = running !== null;
      return [String(vmid), JSON.stringify({ node, config, pending, snapshots, runs, disks })];
    }),
  );
}

/** A guest that Proxmox makes for us: it has no mark until that is done. */
function isBeingMade({ vmid, config }: Guest): boolean {
  return !Object.values(THEIRS).includes(vmid) && ['create', 'clone'].includes(config['lock'] ?? '');
}
