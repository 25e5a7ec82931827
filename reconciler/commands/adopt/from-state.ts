import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { FoundMachines, ForeignByNumber } from '../../adopt/find-machines';
import { forgetting, readersOf } from '../../adopt/state/forget';
import { foreignGuests, type ForeignGuest } from '../../adopt/state/foreign-guests';
import { resourcesOf, type ForeignState } from '../../adopt/state/foreign-state';
import { untouched, type Refusal } from '../../action';
import { InputError } from '../../errors';
import { fileText, onFile } from '../../input/file-text';
import { writeWhole } from '../../module/written-files';
import type { Options, Surroundings } from '../../input/surroundings';
import { oneLine } from '../../report/visible';

/** The guests that another tool holds, and how it lets go of them. */
export interface FromState {
  held: ForeignByNumber;
  /** Guests of the state whose number nobody can read. */
  refusals: readonly Refusal[];
  /** Writes and tells what is to be done in the old place, for the guests that were found. */
  tellForgetting: (found: FoundMachines) => void;
}

/** The largest state that is read: some thousand resources. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Reads the state that was named. Undefined: none was. Throws where it cannot be read, or holds no guest. */
export async function fromState(
  { fromState: file, forget, out, force = false }: Options,
  around: Surroundings,
): Promise<FromState | undefined> {
  if (file === undefined) {
    if (forget !== undefined)
      throw new InputError('--forget says how a state lets go of its guests: give it with --from-state.');
    return undefined;
  }
  refuseFiles(file, { forget, out, force });
  const text = file === '-' ? await around.readInput() : await fileText(file, MOST_BYTES);
  const name = file === '-' ? 'stdin' : file;
  const state = resourcesOf(text, name);
  const { guests, containers, unnumbered } = foreignGuests(state.resources);
  if (guests.length + unnumbered.length === 0)
    throw new InputError(
      `${name} holds no virtual machine of a provider for Proxmox that is known (bpg, Telmate, Pulumi proxmoxve). Where that tool has let go of them by now, give the state from before. Nothing was sent.`,
    );
  containers.forEach(address =>
    around.reporter.say('info', `${oneLine(address)} is a container: it stays where it is.`),
  );
  const held = byNumber(guests);
  return {
    held,
    refusals: unnumbered.map(noNumber),
    tellForgetting: found => tell(state, held, found, { forget, around }),
  };
}

/** Throws where a file that is written is none, or is one that something else is in. */
function refuseFiles(
  state: string,
  { forget, out, force }: { forget: string | undefined; out: string | undefined; force: boolean },
): void {
  const files = [state, forget, out].flatMap(each =>
    each === undefined || each === '-' ? [] : [existsSync(each) ? realpathSync(each) : path.resolve(each)],
  );
  if (new Set(files).size < files.length)
    throw new InputError(
      '--from-state, --out and --forget name one file twice: give each a file of its own.',
    );
  if (forget === undefined) return;
  if (!forget.endsWith('.tf.json'))
    throw new InputError(
      `--forget ${JSON.stringify(forget)}: name a file that ends in .tf.json, as Terraform reads it.`,
    );
  if (existsSync(forget) && !force)
    throw new InputError(`--forget ${forget} exists. Name another file, or give --force to overwrite it.`);
  if (!existsSync(path.dirname(forget)))
    throw new InputError(`--forget ${forget}: its folder is not there. Name another file.`);
}

function noNumber(address: string): Refusal {
  const detail = `the state gives ${oneLine(address)} no number of a guest.`;
  return { machine: oneLine(address), ...untouched('not-adoptable', detail, 'Adopt it by its number.') };
}

/** Of entries with one number none is believed: the others may be of other clusters. What is on its way out is no entry. */
function byNumber(guests: readonly ForeignGuest[]): ForeignByNumber {
  const entries = new Map<number, ForeignGuest[]>();
  for (const guest of guests) {
    const same = entries.get(guest.vmid);
    if (same) same.push(guest);
    else entries.set(guest.vmid, [guest]);
  }
  return new Map([...entries.values()].flatMap(entryOf));
}

function entryOf(entries: readonly ForeignGuest[]): [number, ForeignGuest][] {
  const sound = entries.filter(({ doubt }) => doubt === undefined);
  const [first = entries[0], ...others] = sound;
  if (first === undefined) return [];
  const names = others.map(({ address }) => address).join(' and ');
  return [[first.vmid, others.length === 0 ? first : { ...first, doubt: `${names} has its number, too` }]];
}

function tell(
  state: ForeignState,
  held: ForeignByNumber,
  { guests, drift }: FoundMachines,
  { forget, around: { reporter } }: { forget: string | undefined; around: Surroundings },
): void {
  const say = (text: string): void => reporter.say('info', oneLine(text));
  // also a quiet run leaves this to be done
  const ask = (text: string): void => reporter.say('warn', oneLine(text));
  drift.forEach(text => say(text));
  const adopted = guests.flatMap(({ listed }) => held.get(listed.vmid) ?? []);
  const { file, commands } = forgetting(state, adopted);
  readersOf(state, adopted).forEach(text => say(text));
  if (adopted.length === 0) return;
  ask(
    'First let the old place forget these guests: as long as it holds them, its next apply removes our mark.',
  );
  if (file === undefined && forget !== undefined)
    ask(
      `${forget} is not written: the old place lets go of these guests by commands. What stands there is of another run.`,
    );
  if (file !== undefined && forget === undefined)
    say(
      'With --forget forget.tf.json this writes the blocks for that. Until Terraform 1.6: terraform state rm ADDRESS.',
    );
  if (commands.length > 0) {
    ask('Run these commands there, and take their guests out of its code before the next apply:');
    commands.forEach(command => ask(`  ${command}`));
  }
  if (file !== undefined && forget !== undefined) {
    onFile(
      () => writeWhole(forget, file),
      code => `${forget} cannot be written (${code}). No guest was changed. Name another file.`,
    );
    ask(
      `${forget}: put it beside the old code, take out of that the resources that it names and no other, and apply.`,
    );
  }
  say('The plan there must say 0 to add and 0 to destroy. What was refused here stays in the old code.');
}
