import type { ObservedGuest } from './observed';
import { remedyText, type Changed, type GuestPlace, type Refusal } from './action';

/** The spec, the configuration or the arguments are wrong. Nothing was sent. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The plan holds refusals. Nothing was sent for those machines, unless `after` says what was. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(readonly refusals: Refusal[]) {
    super(refusals.map(refusal => `${refusal.machine}: ${refusal.detail} ${remedyText(refusal)}`).join('\n'));
  }

  /** The same, where the run had begun. */
  after(changed: Changed): RefusedError {
    return new RefusedError(this.refusals.map(refusal => ({ ...refusal, changed })));
  }
}

/** An error that names its machine itself; `said` is the same without it. */
export class MachineError extends Error {
  constructor(
    readonly machine: string,
    readonly said: string,
    options?: { cause: unknown },
  ) {
    super(`${machine}: ${said}`, options);
  }
}

/** A file that was to go is used by somebody: it stays. That was reported; the machine is read and planned anew. */
export class StillUsedError extends Error {
  override readonly name = 'StillUsedError';
}

/** All was done, and the machine is still different. `left`: what, each in one line. */
export class NotConvergedError extends MachineError {
  override readonly name = 'NotConvergedError';
  constructor(
    machine: string,
    readonly left: readonly string[],
  ) {
    super(
      machine,
      `everything was done and Proxmox still differs (${left.join('; ')}). Look at the tasks of the guest for somebody who changes it back. Running again is safe.`,
    );
  }
}

/** It is as its spec says, but that it stands still where it is to run. Only a person knows whether it may go on. */
export class StandsStillError extends MachineError {
  override readonly name = 'StandsStillError';
  /** `guest`: as it was read. */
  constructor(
    machine: string,
    text: string,
    readonly guest: ObservedGuest,
  ) {
    super(
      machine,
      `${text} Everything else is as its spec says. To keep it so, write power: unmanaged. Running again is safe, and does not let it go on.`,
    );
  }
}

/** The address of a cluster leads to another Proxmox than the one that the machine is bound to. */
export class OtherProxmoxError extends MachineError {
  override readonly name = 'OtherProxmoxError';
  constructor(machine: string, bound: string, now: string) {
    super(
      machine,
      `it is a machine of ${bound}, and ${now} answers now. Nothing more is written. Look at the address of the cluster, and at what its name leads to. It is tried again, which is safe.`,
    );
  }
}

/**
 * This run made the guest, and Proxmox does not show it any more, or shows one of its number that is not ours
 * (`isListed`). A run makes a machine once.
 */
export class VanishedError extends MachineError {
  override readonly name = 'VanishedError';
  constructor(machine: string, { vmid, node }: GuestPlace, isListed: boolean) {
    super(
      machine,
      isListed
        ? `VM ${vmid} was made on ${node}, and VM ${vmid} is there without our mark: somebody took the mark off, or made another guest of that number, or the server did not keep the description. ` +
            'Nothing more is done to it. Look at it, and remove it if nobody needs it, before you run again: the next run makes a new one.'
        : `VM ${vmid} was made on ${node}, and is not there any more: somebody removed it, or Proxmox does not show it. ` +
            'Look whether it is there before you run again: the next run makes a new one.',
    );
  }
}

/** The time that the spec gives for a machine is up. What Proxmox was told before goes on there. */
export class TimeUpError extends MachineError {
  override readonly name = 'TimeUpError';
  constructor(machine: string, limit: string, why: string, cause?: unknown) {
    const sentence = /[.!?]$/.test(why) ? why : `${why}.`;
    super(machine, `its time is up (${limit}): ${sentence} Running again is safe.`, { cause });
  }
}

/** Somebody reads an output that a machine does not have, or not yet. */
export class MissingOutputError extends MachineError {
  override readonly name = 'MissingOutputError';
  constructor(machine: string, missing: readonly string[], why: string) {
    super(
      machine,
      `${missing.join(', ')} is read, and is not known: ${why}. ` +
        'Install qemu-guest-agent in the image, with agent: true; or raise timeouts.agent; or give a static address; ' +
        'or read it no more. What was done stays. Running again is safe, and waits again; ' +
        'a destroy does not need it with -refresh=false.',
    );
  }
}

/** A desired state is kept in PostgreSQL, and that does not answer, or not now. What was read before still counts. */
export class StoreAwayError extends Error {
  override readonly name = 'StoreAwayError';
}

/** Somebody told this program to stop. What Proxmox was told before goes on there. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  /** `withinMs`: the run ends so long after the interrupt, whatever it waits for. Absent: nothing but its own waits end it. */
  constructor(
    readonly exitCode: number,
    readonly withinMs?: number,
    message = 'interrupted; Proxmox goes on with what it was told. Running again is safe.',
  ) {
    super(message);
  }
}

/** What an error says, whatever was thrown. */
export function messageOf(error: unknown): string {
  if (isFolderGone(error)) return FOLDER_GONE;
  return error instanceof Error ? error.message : String(error);
}

/** What is said where no relative path can be followed. */
export const FOLDER_GONE =
  'the current folder is gone, and a relative path begins there. Change to a folder that is there (cd), or write paths that begin with "/". Running again is safe.';

/** Whether a path was looked for from a folder that somebody removed: a shell stays in it. */
export function isFolderGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error && error.syscall === 'uv_cwd';
}

/** So many of something, in words: the form for 1, or the one for any other number. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  ENOTDIR: 'is not there',
  EACCES: 'may not be read by this user',
  EISDIR: 'is a folder',
};

/** Why the system lets a file not be read: what follows its name in a sentence. */
export function whyUnreadable(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return WHY[code] ?? `cannot be read (${code || String(error)})`;
}
