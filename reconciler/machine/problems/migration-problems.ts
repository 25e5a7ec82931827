import { untouched } from '../../action';
import { isDataIso } from '../data-iso/data-iso-name';
import type { MigrationFacts } from '../facts';
import { whyTakenBack, type HaHome } from '../ha-home';
import type { ObservedCluster, ObservedGuest, ObservedNode } from '../../observed';
import { hidesBridge } from '../../privileges/hidden';
import { propertiesOf } from '../../guest/configuration';
import { isCardKey } from '../../guest/key-kinds';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** What keeps a guest where it is; with a remedy of its own, where taking that away would cost what nobody means. */
type Hold = string | { reason: string; remedy: string };

const CHANGE_RULE =
  'Change that rule of HA, name another node, or set pin to false. What the spec changes of ha is written once the machine stays: set pin to false for one apply.';
const TAKE_AWAY = 'Take away what holds it, name another node, or set pin to false.';

/** Where a guest must go: where its clone was made for, or where it is pinned; undefined when it is there. */
export function destinationOf({ spec, origin, mark }: Scene, guest: ObservedGuest): string | undefined {
  const pinned = spec.pin === true ? spec.node : undefined;
  const to = (origin === 'cloned' ? mark?.targetNode : undefined) ?? pinned;
  return to === guest.node ? undefined : to;
}

/** Why a guest cannot go where it must. A guest that stays has none. */
export function migrationProblems(scene: Scene, cluster: ObservedCluster, guest: ObservedGuest): Problem[] {
  const to = destinationOf(scene, guest);
  if (to === undefined) return [];
  const node = cluster.nodes.find(({ name }) => name === to);
  const reason = unfitNode(node, to, cluster) ?? unfitGuest(scene, to, guest, cluster);
  return reason === undefined ? [] : [problem(guest, to, reason)];
}

/** Asked of Proxmox where a whole guest is to go to where it is pinned; while it is locked, Proxmox does not say. */
function unfitGuest(
  { origin, context: { facts } }: Scene,
  to: string,
  guest: ObservedGuest,
  cluster: ObservedCluster,
): Hold | undefined {
  if (guest.lock !== undefined || origin === 'cloned') return undefined;
  const node = facts.askNode(to);
  const migration = facts.ask('migration');
  return (
    (migration && hindrance(migration, { name: to, storages: node?.storages }, guest)) ??
    (migration?.haHome && takenBack(migration.haHome, to, cluster)) ??
    missingBridge(node, guest, cluster)
  );
}

function unfitNode(
  node: ObservedNode | undefined,
  to: string,
  { nodes }: ObservedCluster,
): string | undefined {
  if (!node) return `the cluster has no node '${to}'; it has ${nodes.map(({ name }) => name).join(', ')}`;
  if (!node.online) return `${to} is offline`;
  return node.maintenance ? `${to} is in maintenance` : undefined;
}

/** PVE's own answer, read as PVE does when it moves the guest: there it would only say so after it began. */
function hindrance(
  facts: MigrationFacts,
  { name: to, storages }: { name: string; storages: ObservedNode['storages'] | undefined },
  { power }: ObservedGuest,
): Hold | undefined {
  const { localResources, mappedResources, localDisks, replicatedTo } = facts;
  const runs = power === 'running';
  if (localResources.length > 0) return `${localResources.join(', ')} cannot leave its node`;
  if (runs && mappedResources.length > 0) return `${mappedResources.join(', ')} cannot move while it runs`;
  if (runs && replicatedTo && !replicatedTo.includes(to)) return heldByJobs(replicatedTo, to);
  const cd = localDisks.find(({ isCd }) => isCd);
  if (cd && isDataIso(cd.volid))
    return `its cloud-init data ${cd.volid} is on storage of its node; name a shared one in cloudInit.storage first`;
  if (cd) return `the CD ${cd.volid} is on storage of its node`;
  const linked = localDisks.find(({ volid }) => /base-\d+-[^/]*\/(?:.*\/)?vm-\d+-/.test(volid));
  if (linked) return `disk ${linked.volid} is a linked clone on storage of its node`;
  const held = localDisks.find(({ isInSnapshot }) => runs && isInSnapshot);
  if (held) return `a snapshot holds ${held.volid}, on storage of its node, and it runs`;
  const unsent = localDisks.find(
    ({ volid, isInSnapshot }) => isInSnapshot && !sendsSnapshots(volid, storages),
  );
  if (unsent)
    return `a snapshot holds ${unsent.volid}, on storage of its node, which cannot send snapshots to another`;
  const bar = facts.barredByHa[to];
  if (bar !== undefined) return { reason: bar, remedy: CHANGE_RULE };
  const lack = facts.lacks[to];
  if (lack !== undefined) return `${to} lacks ${lack}`;
  return facts.allowedNodes?.includes(to) === false ? 'Proxmox does not allow that node' : undefined;
}

/** As PVE decides it of a guest that is off; a volume with memory of a snapshot goes by itself. Of a storage whose type is not known, Proxmox decides. */
function sendsSnapshots(volid: string, storages: ObservedNode['storages'] | undefined): boolean {
  if (volid.endsWith('.qcow2') || /:(?:.*\/)?vm-\d+-state-/.test(volid)) return true;
  const type = storages?.find(({ name }) => name === volid.split(':')[0])?.type;
  return type === undefined || /^(?:zfspool|btrfs)$/.test(type);
}

function heldByJobs(replicatedTo: readonly string[], to: string): Hold {
  return {
    reason: `replication copies its disks to ${replicatedTo.join(' and ')}, and while it runs Proxmox moves it nowhere else`,
    remedy: `Stop it first (apply power: stopped), or make a replication job to ${to}; or name another node, or set pin to false.`,
  };
}

function takenBack(home: HaHome, to: string, { nodes }: ObservedCluster): Hold | undefined {
  const online = nodes.filter(node => node.online && !node.maintenance).map(({ name }) => name);
  const reason = whyTakenBack(home, to, online);
  if (reason === undefined) return undefined;
  const more = home.isStrict ? '' : ' Without failback, HA leaves it where it was moved to.';
  return { reason, remedy: `${CHANGE_RULE}${more}` };
}

/** A guest that runs would be sent there and come back: the other node cannot start it. */
function missingBridge(
  node: ObservedNode | undefined,
  { current, power }: ObservedGuest,
  cluster: ObservedCluster,
): string | undefined {
  if (power !== 'running' || !node?.bridges) return undefined;
  const used = Object.entries(current)
    .filter(([key]) => isCardKey(key))
    .flatMap(([, text]) => propertiesOf('net0', text).bridge ?? [])
    .map(String);
  const missing = used.find(bridge => !node.bridges?.includes(bridge) && !hidesBridge(bridge, cluster));
  return missing === undefined ? undefined : `${node.name} has no bridge '${missing}'`;
}

function problem({ vmid, node: from }: ObservedGuest, to: string, hold: Hold): Problem {
  const { reason, remedy } = typeof hold === 'string' ? { reason: hold, remedy: TAKE_AWAY } : hold;
  const detail = `VM ${vmid} is on ${from} and cannot go to ${to}: ${reason}.`;
  return { field: 'node', from, to, ...untouched('cannot-migrate', detail, remedy) };
}
