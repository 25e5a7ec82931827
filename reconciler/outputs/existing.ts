import { MiB, type ExistingOutputs, type ExistingSpec } from '../../spec';
import { effectiveAt } from '../machine/compare';
import { splitTags } from '../mark/owner-tag';
import { uuidOf } from '../guest/uuid';
import { diskOutputs, macAddresses } from './devices';
import { guestAddresses } from './guest-addresses';
import { consoleUrl, processors, type OutputFacts } from './machine';
import { isNotAllowed } from './read-guest';

/** The outputs of a guest that is only read. They hold no time and no load. */
export function existingOutputs(seen: Omit<OutputFacts, 'snapshots'>): ExistingOutputs {
  const { guest, powerState, interfaces } = seen;
  const { vmid, node, current, pool } = guest;
  const cards = macAddresses(guest);
  const ipAddresses = typeof interfaces === 'string' ? [] : guestAddresses(interfaces, Object.values(cards));
  const [first] = ipAddresses;
  return {
    vmid,
    node,
    name: current['name'] ?? null,
    uuid: uuidOf(current) ?? null,
    powerState,
    cpu: processors(current),
    memory: Number(effectiveAt(current, { key: 'memory', property: 'current' })) * MiB,
    primaryIpAddress: ipAddresses.find(address => !address.includes(':')) ?? first ?? null,
    ipAddresses,
    whyNoAddress: first === undefined ? whyNoAddress(seen) : null,
    macAddresses: cards,
    disks: diskOutputs(guest),
    tags: splitTags(current['tags'] ?? '').sort(),
    pool: pool ?? null,
    consoleUrl: consoleUrl(seen),
  };
}

/**
 * What stands in place of the outputs of a guest that is not there. A plan fails before anybody uses them; a destroy goes
 * on, and Terraform puts no null into a text.
 */
export function blankOutputs({ vmid = 0, name = '' }: ExistingSpec): ExistingOutputs {
  const texts = { node: '', name, uuid: '', primaryIpAddress: '', pool: '', consoleUrl: '' };
  const lists = { ipAddresses: [], tags: [], macAddresses: {}, disks: {} };
  const cpu = { cores: 0, sockets: 0, threads: 0 };
  return { vmid, ...texts, ...lists, powerState: 'unknown', cpu, memory: 0, whyNoAddress: null };
}

function whyNoAddress({
  guest: { vmid, node },
  interfaces,
  powerState,
}: Omit<OutputFacts, 'snapshots'>): string {
  const place = `guest ${vmid} on ${node}`;
  if (powerState !== 'running') return `${place} is ${powerState}`;
  if (typeof interfaces !== 'string') return `the agent of ${place} answers, and has no address yet`;
  const remedy = isNotAllowed(interfaces)
    ? `; grant VM.GuestAgent.Audit on /vms/${vmid}, before Proxmox VE 9 VM.Monitor`
    : '';
  return `${place}: ${interfaces}${remedy}`;
}
