import type { Action, Refusal } from './action';

/** The spec, the configuration or the arguments are wrong. Nothing was sent. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The plan holds refusals. Nothing was sent for those machines. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(readonly refusals: Refusal[]) {
    super(refusals.map(({ machine, detail, remedy }) => `${machine}: ${detail} ${remedy}`).join('\n'));
  }
}

/** All was done, and the machine is still different. */
export class NotConvergedError extends Error {
  override readonly name = 'NotConvergedError';
  constructor(
    readonly machine: string,
    readonly left: Action[],
  ) {
    const kinds = left.map(({ kind }) => kind).join(', ');
    super(
      `${machine}: everything was done and Proxmox still differs (${kinds} left). Running again is safe.`,
    );
  }
}
