import { guestWithId, taggedAs } from './tagged-guests';
import { isAdoptable, isMeant, notAdoptable } from './adoptable';
import { noSight, MAKES, refusedBy } from './refused-guest';
import { whichGuest } from './which-guest';
import { evidenceOf, hasUuidOf, markOf, observedGuest } from './guest';
import { verdictOn } from '../mark/verdict';
import type { NodeLists } from './node-lists';
import { type ListedGuest, maySeeGuests, type ObservedCluster, type ObservedMachine } from '../observed';
import { readConfig, type Pve } from '../pve';
import { ifStillThere } from './if-allowed';
import type { Finding, Sought } from './sought';

/**
 * Finds the guest of a machine and reads it. Reads only. One request for a machine that is there; the nodes' lists
 * are asked only when its tag finds nothing.
 */
export async function observeMachine(
  pve: Pve,
  cluster: ObservedCluster,
  sought: Sought,
  nodeLists: NodeLists,
): Promise<ObservedMachine> {
  // an empty list is never proof of absence: without the privilege Proxmox lists nothing, and a second one would be made
  if (!maySeeGuests(cluster)) return noSight(cluster);
  const tagged = taggedAs(cluster.guests, sought.identity);
  const byTag = await look(pve, tagged, sought);
  const decided = whichGuest(byTag, sought);
  if (decided) return decided;
  // gone from where it was listed or seen: moved to another node, or its tag taken away
  const ids = [...tagged.map(({ vmid }) => vmid), ...(sought.seenAs === undefined ? [] : [sought.seenAs])];
  if (ids.length > 0) {
    const moved = await lookUntilRead(pve, () => nodeLists.afresh().withIds(ids), sought);
    if ('hidden' in moved) return refusedBy('hidden', [], sought, moved.hidden);
    const elsewhere = whichGuest(moved.read, sought);
    if (elsewhere) return elsewhere;
  }
  // nothing by its tag: an unfinished creation, or a guest that lost its tag, is found by its name
  const seen = new Set(tagged.map(({ vmid }) => vmid));
  const byName = async (index: NodeLists) => (await index.find(sought.name)).filter(isNew(seen));
  const withName = await lookUntilRead(
    pve,
    isFirst => byName(isFirst ? nodeLists : nodeLists.afresh()),
    sought,
  );
  if ('hidden' in withName) return refusedBy('hidden', [], sought, withName.hidden);
  const named = withName.read;
  const found = whichGuest(named, sought) ?? whichGuest(await renamed(pve, cluster, sought), sought);
  if (found) return found;
  // this run has seen it: then what carries its tag or its name beside it is known to be another
  const inTheWay = sought.seenAs === undefined && inPlaceOf([...byTag, ...named], tagged, sought);
  return inTheWay || atGivenId(pve, cluster, sought, nodeLists);
}

/**
 * Reads guests as their nodes list them now. Hidden: one that its node goes on to list and to have no configuration
 * of. That is no absence: a second one would be made.
 */
async function lookUntilRead(
  pve: Pve,
  list: (isFirst: boolean) => Promise<ListedGuest[]>,
  sought: Sought,
): Promise<{ read: Finding[] } | { hidden: ListedGuest }> {
  for (let looks = 1; ; looks += 1) {
    const listed = (await list(looks === 1)).filter(({ type }) => type === 'qemu');
    const read = await look(pve, listed, sought);
    const hidden = listed.find(guest => !read.some(finding => finding.listed === guest));
    if (hidden === undefined) return { read };
    if (looks === LOOKS) return { hidden };
  }
}

/** So often in a row no guest moves or goes between its node's list and the reading of its configuration. */
const LOOKS = 3;

const isNew =
  (seen: ReadonlySet<number>) =>
  ({ vmid }: ListedGuest): boolean =>
    !seen.has(vmid);

/** A guest without tag and under another name: looked for only when a second one would be made otherwise. */
async function renamed(pve: Pve, cluster: ObservedCluster, sought: Sought): Promise<Finding[]> {
  if (sought.toCreate === undefined) return [];
  return look(pve, await sought.toCreate.find(cluster, sought.identity, sought.memory), sought);
}

/** What is taken for this machine by its tag or its name, and is not it. */
function inPlaceOf(findings: Finding[], tagged: ListedGuest[], sought: Sought): ObservedMachine | undefined {
  const others = findings.filter(({ listed }) => !sought.adopt || listed.vmid !== sought.vmid);
  const copies = others.filter(({ listed, verdict }) => verdict === 'copy' && tagged.includes(listed));
  if (copies.length > 0) return refusedBy('copy', copies, sought);
  const tagOnly = others.filter(({ verdict }) => verdict === 'tagged');
  if (tagOnly.length > 0) return refusedBy('tagged', tagOnly, sought);
  const container = tagged.find(({ type }) => type === 'lxc');
  if (container) return refusedBy('tagged', [], sought, container);
  const owned = others.filter(finding => sought.toCreate !== undefined && isOwnedByOther(finding, sought));
  return owned.length > 0 ? refusedBy('other-owner', owned, sought) : undefined;
}

/** A machine of another owner, proven as ours would be. */
function isOwnedByOther({ listed, config }: Finding, { identity, name }: Sought): boolean {
  const mark = markOf(config);
  if (mark === undefined || mark.owner === identity.owner) return false;
  return listed.name === name && (mark.isUnfinished === true || hasUuidOf(mark, config));
}

async function look(pve: Pve, guests: ListedGuest[], sought: Sought): Promise<Finding[]> {
  const found = await Promise.all(
    guests.filter(({ type }) => type === 'qemu').map(guest => readFinding(pve, guest, sought)),
  );
  return found.filter(finding => finding !== undefined);
}

/** One guest; undefined when it went or moved since it was listed. */
async function readFinding(
  pve: Pve,
  listed: ListedGuest,
  { identity }: Sought,
): Promise<Finding | undefined> {
  const config = await ifStillThere(readConfig(pve, listed));
  return config && { listed, config, verdict: verdictOn(evidenceOf(config, identity), identity) };
}

/** While a guest is being made, Proxmox shows its lock and no name or description (behaviour.md §14). */
function isUntold({ config }: Finding): boolean {
  const { lock = '', name } = config.current;
  return name === undefined && MAKES.includes(lock);
}

/** The id that the spec gives, when nothing of ours was found: free, to be adopted, or somebody else's. */
async function atGivenId(
  pve: Pve,
  cluster: ObservedCluster,
  sought: Sought,
  nodeLists: NodeLists,
): Promise<ObservedMachine> {
  const holder = guestWithId(cluster.guests, sought.vmid);
  if (!holder) return { kind: 'absent' };
  const [finding] = await look(pve, [holder], sought);
  const found = finding && whichGuest([finding], sought);
  if (found) return found;
  if (finding && !sought.adopt && isUntold(finding)) {
    return { kind: 'absent', making: observedGuest(finding.listed, finding.config) };
  }
  if (await givesWay(holder, finding, sought, nodeLists)) return { kind: 'absent' };
  if (finding && isAdoptable(finding)) {
    if (!sought.adopt) return refusedBy('vmid-taken', [finding], sought);
    if (!isMeant(finding, sought)) return notAdoptable(finding, sought);
    return { kind: 'adoptable', guest: observedGuest(finding.listed, finding.config) };
  }
  if (!finding || !sought.adopt)
    return refusedBy('vmid-taken-for-good', finding ? [finding] : [], sought, holder);
  return notAdoptable(finding, sought);
}

/**
 * Whether whoever has the id that a machine is to get is gone by the time it is made: it went since it was listed, or
 * it is a machine of the same owner that nobody wants any more. Then Terraform destroys it before it makes another.
 */
async function givesWay(
  holder: ListedGuest,
  finding: Finding | undefined,
  { identity, staying, adopt }: Sought,
  nodeLists: NodeLists,
): Promise<boolean> {
  if (finding === undefined) {
    return holder.type === 'qemu' && (await nodeLists.afresh().withIds([holder.vmid])).length === 0;
  }
  const mark = markOf(finding.config);
  // whoever asks for that guest wants it kept
  if (adopt || staying === undefined || mark === undefined) return false;
  return mark.owner === identity.owner && !staying.has(mark.machine);
}
