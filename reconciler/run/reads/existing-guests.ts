import type { ExistingOutputs, ExistingSpec } from '../../../spec';
import { untouched, type Objection } from '../../action';
import { chooseExisting, isStillMeant, whichOne } from '../../observe/existing';
import { observedGuest } from '../../observe/guest';
import { ifStillThere } from '../../observe/if-allowed';
import type { ListedGuest, ObservedCluster } from '../../observed';
import { existingOutputs } from '../../outputs/existing';
import { interfacesOf, standingOf } from '../../outputs/read-guest';
import { isOneLess, readConfig, type Pve } from '../../pve';
import type { Run } from '../run';

/** What was read of guests that stay somebody else's, or why that cannot be. */
export type ReadGuests = { guests: ExistingOutputs[] } | { objection: Objection };

/** So often in a row no guest moves or changes between the list and the reading of its configuration. */
const LOOKS = 3;

/** Reads guests of whatever owner, and writes nothing. Wrong credentials are thrown. */
export async function readExisting(run: Run, wanted: ExistingSpec): Promise<ReadGuests> {
  try {
    for (let looks = 1; looks <= LOOKS; looks += 1) {
      if (looks > 1) await run.refresh();
      const told = await look(run, wanted);
      if (told !== 'changed') return told;
    }
  } catch (error) {
    if (!isOneLess(error)) throw error;
    const detail = `what has ${whichOne(wanted)} cannot be read: ${error.said}`;
    return { objection: untouched('unreadable', detail, error.advice) };
  }
  const detail = `what has ${whichOne(wanted)} moved or changed each time it was read, ${LOOKS} times.`;
  return { objection: untouched('changing', detail, 'Run again in a moment: that is safe.') };
}

/** One look; `changed`: a guest moved, went, or is another one since it was listed. */
async function look(run: Run, wanted: ExistingSpec): Promise<ReadGuests | 'changed'> {
  const isByNumber = (wanted.name ?? wanted.tag ?? wanted.allWithTag) === undefined;
  const chosen = chooseExisting(wanted, isByNumber ? run.cluster : await listedNow(run));
  if ('objection' in chosen) return chosen;
  const read = await Promise.all(chosen.guests.map(guest => ifStillThere(readOne(run.pve, guest, wanted))));
  const guests = read.filter(one => one !== undefined);
  return guests.length === read.length ? { guests } : 'changed';
}

/**
 * The cluster with its virtual machines as their nodes list them: names, tags and who is a template are told there at once.
 * One that no node lists stays as the cluster lists it: its node is down, or it moved between two lists.
 */
async function listedNow({ cluster, nodeLists }: Run): Promise<ObservedCluster> {
  const guests = new Map(cluster.guests.map(guest => [guest.vmid, guest]));
  for (const guest of await nodeLists.all()) guests.set(guest.vmid, guest);
  return { ...cluster, guests: [...guests.values()] };
}

async function readOne(
  pve: Pve,
  listed: ListedGuest,
  wanted: ExistingSpec,
): Promise<ExistingOutputs | undefined> {
  const config = await readConfig(pve, listed);
  if (!isStillMeant(config, wanted)) return undefined;
  const guest = observedGuest(listed, config);
  const { powerState } = await standingOf(pve, guest);
  const interfaces = await interfacesOf(pve, guest, powerState);
  return existingOutputs({ guest, powerState, interfaces, endpoint: pve.config.endpoints[0] ?? '' });
}
