import { canonical } from '../reading/canonical';
import { CLOUD_INIT_DATA } from '../machine/cloud-init';
import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';

/** Cloud-init data may take so many bytes altogether. */
export const CLOUD_INIT_LIMIT = 64 * 1024;

/** What is expected of the guest's own software, and cannot be. */
export function* guestFindings(machine: MachineSpec): Iterable<Finding> {
  const { agent, waitFor, cloudInit = {} } = machine;
  const off = agent === false || (typeof agent === 'object' && agent.enabled === false);
  if (off && waitFor !== undefined && waitFor !== 'nothing') {
    yield {
      path: ['waitFor'],
      reason: 'needs the agent, which is switched off',
      remedy: 'Set agent to true, or waitFor to "nothing".',
    };
  }
  if (off && cloudInit.waitForCompletion === true) {
    yield {
      path: ['cloudInit', 'waitForCompletion'],
      reason: 'needs the agent, which is switched off',
      remedy: 'Set agent to true, or this to false.',
    };
  }
  if (cloudInit.passwordVersion !== undefined && cloudInit.passwordFrom === undefined) {
    yield {
      path: ['cloudInit', 'passwordFrom'],
      kind: 'missing',
      reason: 'is required with passwordVersion',
      remedy: 'Say where the password is read from.',
    };
  }
  yield* dataFindings(cloudInit);
}

function* dataFindings(cloudInit: NonNullable<MachineSpec['cloudInit']>): Iterable<Finding> {
  let bytes = 0;
  for (const field of CLOUD_INIT_DATA) {
    const data = cloudInit[field];
    if (data === undefined) continue;
    bytes += new TextEncoder().encode(typeof data === 'string' ? data : canonical(data)).length;
    if (cloudInit[`${field}From`] !== undefined) {
      yield {
        path: ['cloudInit', field],
        reason: `is said twice: there is ${field}From too`,
        remedy: `Keep ${field} or ${field}From.`,
      };
    }
  }
  if (bytes > CLOUD_INIT_LIMIT) {
    yield {
      path: ['cloudInit'],
      reason: `holds ${bytes} bytes of data`,
      allowed: `at most ${CLOUD_INIT_LIMIT}`,
      remedy: `Remove ${bytes - CLOUD_INIT_LIMIT} bytes: fetch large files in the guest.`,
    };
  }
}
