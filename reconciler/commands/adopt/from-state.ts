import { existsSync, writeFileSync } from 'node:fs';
import type { FoundMachines, HeldByNumber } from '../../adopt/find-machines';
import { forgetting, readersOf } from '../../adopt/state/forget';
import { heldGuests, type HeldGuest } from '../../adopt/state/held-guests';
import { resourcesOf, type ForeignState } from '../../adopt/state/resources';
import { InputError } from '../../errors';
import { fileText, onFile } from '../../input/file-text';
import type { Options, Surroundings } from '../../input/surroundings';
import { oneLine } from '../../report/visible';

/** The guests that another tool holds, and how it lets go of them. */
export interface FromState {
  held: HeldByNumber;
  /** Writes and tells what is to be done in the old place, for the guests that were found. */
  tellForgetting: (found: FoundMachines) => void;
}

/** The largest state that is read: some thousand resources. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads the state that was named. Undefined: none was. Throws where it cannot be read, or holds no guest. */
export async function fromState(
  { fromState: file, forget, force = false }: Options,
  around: Surroundings,
): Promise<FromState | undefined> {
  if (file === undefined) {
    if (forget !== undefined)
      throw new InputError('--forget says how a state lets go of its guests: give it with --from-state.');
    return undefined;
  }
  if (forget !== undefined && existsSync(forget) && !force)
    throw new InputError(`--forget ${forget} exists. Name another file, or give --force to overwrite it.`);
  const text = file === '-' ? await around.readInput() : await fileText(file, MOST_BYTES);
  const state = resourcesOf(text, file === '-' ? 'stdin' : file);
  const { guests, containers } = heldGuests(state.resources);
  if (guests.length === 0)
    throw new InputError(
      `${file === '-' ? 'stdin' : file} holds no virtual machine of a provider for Proxmox that is known (bpg, Telmate, Pulumi proxmoxve). Nothing was sent.`,
    );
  containers.forEach(address =>
    around.reporter.say('info', `${oneLine(address)} is a container: it stays where it is.`),
  );
  return {
    held: byNumber(guests),
    tellForgetting: found => tell(state, byNumber(guests), found, { forget, around }),
  };
}

/** Of two entries with one number neither is believed: one may be of another cluster. One that is on its way out is none. */
function byNumber(guests: readonly HeldGuest[]): HeldByNumber {
  const held = new Map<number, HeldGuest>();
  for (const guest of guests) {
    const other = held.get(guest.vmid);
    if (other === undefined || other.doubt !== undefined) held.set(guest.vmid, guest);
    else if (guest.doubt === undefined)
      held.set(guest.vmid, { ...other, doubt: `${guest.address} has its number, too` });
  }
  return held;
}

function tell(
  state: ForeignState,
  held: HeldByNumber,
  { guests, drift }: FoundMachines,
  { forget, around: { reporter } }: { forget: string | undefined; around: Surroundings },
): void {
  const say = (text: string): void => reporter.say('info', oneLine(text));
  drift.forEach(text => say(text));
  const adopted = guests.flatMap(({ listed }) => held.get(listed.vmid) ?? []);
  const { file, commands } = forgetting(state, adopted);
  readersOf(state, adopted).forEach(text => say(text));
  say(
    'First let the old place forget these guests: as long as it holds them, its next apply removes our mark.',
  );
  if (file !== undefined && forget === undefined)
    say(
      'With --forget forget.tf.json this writes the blocks for that. Until Terraform 1.6: terraform state rm ADDRESS.',
    );
  if (file !== undefined && forget !== undefined) {
    onFile(
      () => writeFileSync(forget, file),
      code => `${forget} cannot be written (${code}). No guest was changed. Name another file.`,
    );
    say(
      `${forget}: put it beside the old configuration, take the guests out of that, and apply it. It destroys nothing.`,
    );
  }
  commands.forEach(command => say(command));
}
