import { pveKey } from '../values/pve-key';

/** What people write for fields that are called otherwise, or stand elsewhere. PVE's own names are in PVE_KEYS. */
const SYNONYMS = new Map(
  Object.entries({
    autostart: 'onBoot',
    checksum: 'image.checksum',
    clone: 'image.clone',
    cpus: 'cpu.cores',
    flavor: 'cpu and memory',
    gateway4: 'ipv4.gateway',
    gateway6: 'ipv6.gateway',
    host: 'node',
    hostname: 'name',
    iso: 'image.iso',
    mac: 'macAddress',
    macaddr: 'macAddress',
    password: 'cloudInit.passwordFrom',
    powerState: 'power',
    provider: 'cluster',
    rate: 'rateLimit',
    ro: 'readOnly',
    sshKeys: 'cloudInit.sshKeys',
    tag: 'vlan',
    template: 'image.template',
    threads: 'cpu.threadsPerCore',
    threadsPerCore: 'cpu.threadsPerCore',
    url: 'image.url',
    userData: 'cloudInit.userData',
    vcpu: 'cpu.cores',
    vlanId: 'vlan',
    vlanTag: 'vlan',
  }),
);

const NO_SECRETS = 'Remove it: a secret never stands in a spec. Give it by environment variable or file.';
const SECRET = /password|secret|token|clientKey|username/i;

/** What HA rules say, and people look for in the membership of one machine. */
const HA_RULES = ['affinity', 'node', 'nodeAffinity', 'nodes', 'resourceAffinity', 'rule', 'rules', 'strict'];

const SNAPSHOTS =
  'Name it beside the machines, in "snapshots" of the desired state, or in TypeScript as a Snapshot; the Terraform module has none: take it with pve-reconciler snapshot create.';

const POWERS = ['running', 'stopped'];
/** What people write for a word that is called otherwise; YAML reads some of them as true and false. */
const WORDS = new Map([
  ...['on', 'up', 'started', 'start', 'yes', 'true', 'poweron', 'poweredon'].map(
    word => [word, 'running'] as const,
  ),
  ...['off', 'down', 'halted', 'stop', 'shutdown', 'no', 'false', 'poweroff', 'poweredoff'].map(
    word => [word, 'stopped'] as const,
  ),
]);

/** The word of these that is meant by another one, or by true or false; undefined: none is known to be. */
export function wordMeant(given: unknown, known: readonly unknown[]): string | undefined {
  if (!POWERS.every(word => known.includes(word))) return undefined;
  const word = typeof given === 'string' ? given : JSON.stringify(given);
  if (POWERS.includes(word)) return word;
  return WORDS.get((word ?? '').toLowerCase());
}

const YES = ['yes', 'on', 'y', 'enabled', 'true', '1'];
const NO = ['no', 'off', 'n', 'disabled', 'false', '0'];

/** What is meant by a word that YAML 1.1, other programs or people have for true or false; undefined: neither. */
export function switchMeant(given: unknown): boolean | undefined {
  const word = String(given).toLowerCase();
  if (YES.includes(word)) return true;
  return NO.includes(word) ? false : undefined;
}

/** The kind of clone that is meant by a field which other tools have for it, or both. */
function cloneMeant(field: string, value: unknown): string | undefined {
  const isFull = /^full(?:Clone|_clone)?$/.test(field);
  if (!isFull && !/^linked(?:Clone|_clone)?$/.test(field)) return undefined;
  const meant = switchMeant(value);
  if (meant === undefined) return '"full" or "linked"';
  return meant === isFull ? '"full"' : '"linked"';
}

/** What to do about a field that is not known here, before looking for a close one; undefined when nothing is known of it. */
export function remedyForUnknown(
  field: string,
  known: readonly string[],
  value?: unknown,
): string | undefined {
  const has = (...fields: string[]) => fields.every(name => known.includes(name));
  if (has('passwordFrom') && field === 'password')
    return 'Use "passwordFrom": a secret never stands in a spec.';
  if ((has('endpoint') || has('prefix')) && SECRET.test(field)) return NO_SECRETS;
  const clone = cloneMeant(field, value);
  if (clone !== undefined && has('clone', 'template')) return `Write "clone": ${clone}.`;
  if (clone !== undefined && has('image', 'disks')) return `Write "clone": ${clone} in "image".`;
  const power = field === 'powerState' && has('power') ? wordMeant(value, POWERS) : undefined;
  if (power !== undefined) return `Write "power": "${power}".`;
  const synonym = SYNONYMS.get(field);
  if (synonym !== undefined && has(synonym.replace(/\..*/, ''))) return `Use "${synonym}".`;
  if (has('maxRestart') && HA_RULES.includes(field))
    return 'Remove it: one HA rule speaks of several machines, also of other owners. Make it in Proxmox (ha-manager rules add); placement.affinity places new machines together, placement.antiAffinity apart.';
  return has('disks') ? remedyInMachine(field) : undefined;
}

function remedyInMachine(field: string): string | undefined {
  if (field === 'class') return 'Give cpu, memory, machine, bios here: classes are resolved before.';
  if (field === 'snapshots' || field === 'snapshot') return SNAPSHOTS;
  const key = pveKey(field)?.key;
  const meant = SYNONYMS.get(field) ?? key?.field;
  if (meant !== undefined) return `Use "${meant}".`;
  if (key === undefined) return undefined;
  return key.reserved === undefined ? 'Move it into "options".' : `Remove it: ${key.reserved}.`;
}
