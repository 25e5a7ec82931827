import { durationOf, milliseconds } from '../../spec';
import type { Environment } from './variables';
import { readVariable } from './variables';

/** Longer than the 30 s after which PVE's own proxy gives up, so that its answer comes first. */
const REQUEST_TIMEOUT = '45s';

const Timeout = durationOf('1s', '10m');

/** How long one request may take, repeats of a read included, from its first byte to the last of its answer. */
export function requestTimeoutMs(environment: Environment, faults: string[]): number {
  const given = readVariable('PVE_REQUEST_TIMEOUT', environment, faults) ?? REQUEST_TIMEOUT;
  // a number alone counts seconds
  const parsed = Timeout.safeParse(/^\d+$/.test(given) ? `${given}s` : given);
  if (parsed.success) return milliseconds(parsed.data);
  faults.push('PVE_REQUEST_TIMEOUT: invalid duration; allowed: from "1s" to "10m", such as "45s".');
  return milliseconds(REQUEST_TIMEOUT);
}
