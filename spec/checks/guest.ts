import { isFresh } from './chipset';
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
  yield* completionFindings(machine, off);
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

/** Cloud-init tells how far it is by the agent, in a guest that starts from something. */
function* completionFindings(machine: MachineSpec, isOff: boolean): Iterable<Finding> {
  const { agent, cloudInit, disks = [], networks = [], cdrom = 'none' } = machine;
  if (cloudInit?.waitForCompletion !== true) return;
  const path = ['cloudInit', 'waitForCompletion'];
  if (isOff || (isFresh(machine) && agent === undefined)) {
    yield {
      path,
      reason: isOff
        ? 'needs the agent, which is switched off'
        : 'needs the agent, which a machine that is made from nothing has only where the spec says so',
      remedy: 'Set agent to true, or this to false.',
    };
    return;
  }
  const isEmpty = disks.length === 0 && networks.length === 0 && cdrom === 'none';
  if (machine.image?.blank !== undefined && machine.adopt !== true && isEmpty) {
    yield {
      path,
      reason: 'can never end: image is blank, and there is no disk, CD-ROM or network to start from',
      remedy: 'Give the machine a template or an image by address, or set this to false.',
    };
  }
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
