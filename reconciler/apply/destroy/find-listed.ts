import type { Refusal } from '../../action';
import { isAtWorkOn } from '../../waits/running-tasks';
import type { Leaving } from './find-leaving';
import type { Identity } from '../../mark/identity';
import { verdictOn } from '../../mark/verdict';
import { listedGuests, observeToDestroy } from '../../observe/cluster';
import type { SharedReads } from '../../observe/shared-reads';
import { evidenceOf, observedGuest } from '../../observe/guest';
import { taggedAs } from '../../observe/tagged-guests';
import type { ObservedCluster } from '../../observed';
import { preflightDestroy } from '../../plan/preflight';
import { whyItStays } from '../../plan/why-it-stays';
import type { Run } from '../../run/run';
import { readConfig, type Pve } from '../../pve';
import { ifSeen } from '../../observe/if-allowed';

/**
 * The guest of a machine that is to be destroyed, where its tag finds it and nothing speaks against its end: read as
 * what a destroy sends next stands on it. Never a template: others may stand on its disks. Undefined: all must be read, to find it or to say why not.
 */
export async function findListed(
  run: Run,
  identity: Identity,
  { withKept }: { withKept?: boolean | undefined },
): Promise<Leaving | undefined> {
  const { pve } = run;
  const { reads } = run.shared;
  const cluster = await listingFor(pve, reads, identity);
  const [listed, ...others] = taggedAs(cluster.guests, identity);
  if (listed?.type !== 'qemu' || others.length > 0 || cluster.quorate === false) return undefined;
  // before it is read: what ends in between is then seen as done
  if (await isAtWorkOn(reads, cluster, listed)) return undefined;
  const config = await ifSeen(readConfig(pve, listed));
  if (config === undefined) return undefined;
  const guest = observedGuest(listed, config);
  const isOurs = verdictOn(evidenceOf(config, identity), identity) === 'ours';
  const denied = (): Refusal[] => preflightDestroy(identity.ids[0], guest, cluster);
  const isFree =
    !guest.template &&
    guest.lock === undefined &&
    whyItStays(guest, denied, { identity, withKept }) === undefined;
  return isOurs && isFree ? { kind: 'found', guest, wasSearched: false } : undefined;
}

/**
 * The cluster as it was listed just now. Where that says that the machine is off, the listing is of this run: another
 * run of this process may have started it since, and Proxmox removes no guest that runs.
 */
async function listingFor(pve: Pve, reads: SharedReads, identity: Identity): Promise<ObservedCluster> {
  const begunAt = performance.now();
  const cluster = await observeToDestroy(pve, reads);
  const runs = taggedAs(cluster.guests, identity).every(({ power }) => power === 'running');
  return runs ? cluster : { ...cluster, guests: listedGuests(await reads.resources.since(begunAt)) };
}
