import { SpecError } from '../../values/spec-error';
import { literal } from './encode';
import type { Taken } from './tokens';

// An environment variable of a process holds at most 128 KiB; the rest is for what tokens become.
const LIMIT = 100 * 1024;

/** Refuses a spec that would not reach the reconciler. */
export function checkLimit(path: string, { json }: Taken): void {
  const bytes = literal(JSON.stringify(json)).length;
  if (bytes <= LIMIT) return;
  throw new SpecError(
    path,
    `the spec has ${bytes} bytes; allowed: at most ${LIMIT}, as it travels in one environment variable. Put long texts (cloudInit.sshKeys, options) into the image, or let the guest fetch them.`,
  );
}
