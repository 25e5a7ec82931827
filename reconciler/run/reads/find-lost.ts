import { counted } from '../../errors';
import type { Run } from '../run';
import { evidenceOf, observedGuest } from '../../observe/guest';
import type { Identity } from '../../mark/identity';
import { verdictOn, type Evidence } from '../../mark/verdict';
import type { ListedGuest, ObservedGuest } from '../../observed';
import { isOwnerTag } from '../../mark/owner-tag';
import { ifListed } from '../../observe/if-allowed';
import { isOneLess, readConfig } from '../../pve';

/** How many guests are read at most. Those that are more likely ours come first. */
const MOST = 1_000;

/**
 * Looks for a machine that its tag and its id do not find: renamed, its tag lost, or its creation cut short. Reads the
 * marks of the guests of the cluster: a machine that is to be destroyed must not be called gone while it runs on.
 */
export async function findLost(run: Run, identity: Identity): Promise<ObservedGuest[]> {
  const guests = run.cluster.guests.filter(({ type }) => type === 'qemu');
  const candidates = [...guests].sort((one, other) => likelihood(other) - likelihood(one));
  if (candidates.length > MOST) {
    const rest = counted(candidates.length - MOST, 'guest of the cluster was', 'guests of the cluster were');
    const text = `its tag finds nothing, and ${rest} not looked at.`;
    run.report({ kind: 'warning', machine: identity.ids[0], text });
  }
  const found = await Promise.all(candidates.slice(0, MOST).map(listed => readIfLost(run, listed, identity)));
  return found.filter(guest => guest !== undefined);
}

/** A tag of ours tells most; an unfinished creation was never started. */
function likelihood({ tags, power }: ListedGuest): number {
  if (tags.some(isOwnerTag)) return 2;
  return power === 'running' ? 0 : 1;
}

/** A template is destroyed only where its tag finds it: one without says nothing against the end of a machine. */
function isForeignTemplate({ template, tags }: ListedGuest): boolean {
  return template && !tags.some(isOwnerTag);
}

/** The guest, when it is the machine. */
async function readIfLost(
  run: Run,
  listed: ListedGuest,
  identity: Identity,
): Promise<ObservedGuest | undefined> {
  const config = await ifListed(readConfig(run.pve, listed)).catch((error: unknown) => {
    if (!isForeignTemplate(listed) || !isOneLess(error)) throw error;
    const text = `template ${listed.vmid} on ${listed.node} has no tag of ours and cannot be read: it is taken for none of ours.`;
    run.report({ kind: 'warning', machine: identity.ids[0], text });
    return undefined;
  });
  if (config === undefined) return undefined;
  const evidence = evidenceOf(config, identity);
  const verdict = verdictOn(evidence, identity);
  const isOurs = verdict === 'ours' || verdict === 'unfinished' || hasEntry(evidence, identity.entry);
  return isOurs ? observedGuest(listed, config) : undefined;
}

/** Terraform's entry in the mark proves whose it is, also when owner or id were renamed since. */
function hasEntry({ mark, uuid }: Evidence, entry: string | undefined): boolean {
  if (entry === undefined || entry === '' || mark === undefined) return false;
  return mark.entry === entry && (mark.uuid.toLowerCase() === uuid || mark.isUnfinished === true);
}
