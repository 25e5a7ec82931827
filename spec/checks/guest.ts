import { cloudInitDataFindings, dnsFindings } from './cloud-init-data';
import { CLOUD_INIT_DATA } from '../machine/cloud-init';
import type { MachineSpec } from '../machine/machine';
import { under, type Finding } from '../reading/problem';

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
  yield* under(['cloudInit'], saidTwice(cloudInit));
  yield* under(['cloudInit'], cloudInitDataFindings(dataOf(cloudInit), cloudInit));
  yield* under(['cloudInit'], dnsFindings(cloudInit, machine.networks));
}

type CloudInit = NonNullable<MachineSpec['cloudInit']>;

function dataOf({ userData, vendorData, metaData, networkData }: CloudInit) {
  return { userData, vendorData, metaData, networkData };
}

function* saidTwice(cloudInit: CloudInit): Iterable<Finding> {
  for (const field of CLOUD_INIT_DATA) {
    if (cloudInit[field] === undefined || cloudInit[`${field}From`] === undefined) continue;
    yield {
      path: [field],
      reason: `is said twice: there is ${field}From too`,
      remedy: `Keep ${field} or ${field}From.`,
    };
  }
}
