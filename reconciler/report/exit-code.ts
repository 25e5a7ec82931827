import { InputError, InterruptedError, RefusedError } from '../errors';
import { EndpointsError } from '../pve/answers/errors';

export const EXIT = { done: 0, failed: 1, input: 2, refused: 3, changes: 4, gate: 5 } as const;

/** The exit code of a run that ended with this error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof InputError || error instanceof EndpointsError) return EXIT.input;
  if (error instanceof RefusedError) return EXIT.refused;
  if (error instanceof InterruptedError) return error.exitCode;
  return EXIT.failed;
}

/** The exit code of a run over several machines: what failed counts most, then what was refused. */
export function exitCodeOfAll(errors: unknown[]): number {
  const codes = errors.map(exitCodeOf);
  const interrupted = codes.find(code => code > 128);
  const order = [interrupted, EXIT.failed, EXIT.input, EXIT.refused];
  return order.find(code => code !== undefined && codes.includes(code)) ?? EXIT.done;
}
