import { type Action, type GuestPlace, makesGuest } from '../action';
import { StillUsedError } from '../errors';
import type { ObservedMachine } from '../observed';
import { PveError, isVolumeGone, volumesToldGone, isFailure, mayLackRequest, onFailure } from '../pve';
import { volumesOfDisks } from '../run/reads/gone-volumes';
import { afterRefusedWrite } from './after-refused-write';
import type { MachineRun } from './machine-run';
import { untilNoneChanges } from '../waits/running-tasks';

/** A clone has a name after some 0.2 s (behaviour.md §14.2). Without a bound a stranger's import would be waited for. */
const LONGEST_UNTOLD_MS = 10_000;

/** How often the same words are believed to be about something that moves. */
export const MOST_SOUGHT = 5;

/** How often the same action is sent to a server that does not tell of its task. */
const MOST_UNTOLD = 3;

/**
 * Reads what a failed action left, so that the machine can be planned again. Nothing is sent twice: what is done is
 * seen, what is not done is planned anew. Throws the failure itself when reading again cannot help, or time is up.
 */
export async function readAfterFailure(
  machine: MachineRun,
  action: Action,
  error: unknown,
): Promise<ObservedMachine> {
  if (error instanceof StillUsedError) return machine.reader.observeAnew();
  // planned without knowing what the caller may do: with all read, it is refused in better words
  if (isFailure(error) && error.kind === 'denied' && !machine.run.isRead) return machine.reader.observeAnew();
  const next = onFailure(error, 'change') ?? 'end-unless-done';
  // somebody has taken one of this name: that it is there is all that is wanted
  if (next === 'other-id' && action.kind === 'take-snapshot') return machine.reader.observeAnew();
  const unlikePlanned = isVolumeGone(error) ? await afterGone(machine, error) : undefined;
  if (unlikePlanned) return unlikePlanned;
  // a volume's name is taken, not an id
  const isOther = next === 'other-id' && !makesGuest(action);
  if (next === 'end-unless-done' || isOther) return orDone(machine, action, error);
  if (next === 'wait-for-lock' && (await machine.qmCleanup.met(error, machine.reader.lastPlace)))
    return machine.reader.observeAnew();
  const times = machine.waiting.disturbed(error);
  if (next === 'seek' && times >= MOST_SOUGHT) throw error;
  // it is planned again where nothing shows of it, and its task may still be at work
  if (next === 'find-out' && mayLackRequest(error) && machine.done.untold(action) >= MOST_UNTOLD) throw error;
  if (next === 'other-id') return afterConflict(machine, action, error);
  if (next === 'wait-for-lock') return afterLock(machine, action);
  if (next === 'find-out') await untilQuiet(machine, action);
  if (next === 'wait' || times > 1) await machine.waiting.rest();
  return machine.reader.observeAnew();
}

/** Whether what was asked of a guest failed because it is not where it was seen. */
export function isNoMoreThere(error: unknown, { node, vmid }: GuestPlace): boolean {
  const isSought = error instanceof PveError && onFailure(error, 'change') === 'seek';
  return isSought && error.facts.path.startsWith(`/nodes/${node}/qemu/${vmid}/`);
}

/**
 * A volume of the guest is not there: planned again, that is refused, unless the volume is back. Undefined: it is none of
 * the guest's, or Proxmox said so before, and its storage lists it all the same.
 */
async function afterGone({ reader, done }: MachineRun, error: unknown): Promise<ObservedMachine | undefined> {
  const have = await reader.observeAnew();
  if (!('guest' in have)) return undefined;
  const told = volumesToldGone(error, volumesOfDisks(have.guest));
  if (told.every(volume => done.toldGone.has(volume))) return undefined;
  told.forEach(volume => done.toldGone.add(volume));
  return have;
}

/**
 * Whose lock file it was is not told: the id's, because somebody is making a guest with it, or that of the guest
 * that is worked on. The listing tells. An id that is lost needs no wait.
 */
async function afterLock(machine: MachineRun, action: Action): Promise<ObservedMachine> {
  const have = await whoHasIt(machine, action);
  if (have.kind === 'absent' && machine.chosenId.holder(action) && machine.chosenId.lose(action)) return have;
  // a lock of the configuration can be watched; one of a file only passes
  if ('guest' in have && have.guest.lock !== undefined) return have;
  await machine.waiting.rest();
  return machine.reader.observeAnew();
}

/**
 * The id is taken: by this very machine, which another run makes, or by somebody else. Then the next one is tried; of
 * an id that the spec gives, the refusal that follows names who has it.
 */
async function afterConflict(machine: MachineRun, action: Action, error: unknown): Promise<ObservedMachine> {
  const have = await whoHasIt(machine, action);
  const isMaking = have.kind === 'absent' && have.making !== undefined;
  if (have.kind === 'absent' && !isMaking && !machine.chosenId.lose(action)) throw error;
  return have;
}

/** Reads the machine again, once it can be read whose guest has the id that an action was to take. */
async function whoHasIt(machine: MachineRun, action: Action): Promise<ObservedMachine> {
  const look = async (): Promise<ObservedMachine | undefined> => {
    const have = await machine.reader.observeAnew();
    return have.kind === 'absent' && (await machine.chosenId.isUntold(action)) ? undefined : have;
  };
  return (await machine.waiting.briefly(LONGEST_UNTOLD_MS, look)) ?? machine.reader.observeAnew();
}

/** A refused write may have changed something all the same. What would be tried in vain again fails. */
async function orDone(machine: MachineRun, action: Action, error: unknown): Promise<ObservedMachine> {
  const isWrite = action.kind === 'configure' || action.kind === 'resize' || action.kind === 'move-disk';
  if (!isWrite || !isFailure(error) || machine.timeLimit.isUp()) throw error;
  const have = await afterRefusedWrite(machine, action);
  if (have === undefined) throw error;
  machine.waiting.disturbed(error);
  return have;
}

/** Waits until no task runs that the lost request may have started, a moment after it was sent. */
async function untilQuiet(machine: MachineRun, action: Action): Promise<void> {
  const { node, ids } = placesOf(action, machine.reader.lastPlace);
  await machine.waiting.rest();
  if (node !== undefined) await untilNoneChanges(machine.pve, node, ids, machine.waiting);
}

/** Where a lost request may still be at work: the node, and the ids by which its tasks are known. */
function placesOf(action: Action, last: GuestPlace | undefined): { node: string | undefined; ids: number[] } {
  const place = action.kind === 'clone' ? action.source : 'node' in action ? action : undefined;
  const known = [place, 'vmid' in action ? action : undefined, last];
  const ids = known.flatMap(guest => (guest && 'vmid' in guest ? [guest.vmid] : []));
  return { node: place?.node ?? last?.node, ids };
}
