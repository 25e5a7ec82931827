import { canonical, isRecord } from '../../spec';
import { less, type Json } from './spec/said';

/** Machines with what they have in common said once. */
export interface Shared {
  defaults: Json;
  classes: readonly MachineClass[];
  machines: readonly { json: Json; class?: string }[];
}

interface MachineClass extends Json {
  name: string;
}

/** Who a machine is, and what is its own. */
const OF_ITSELF = [
  ...['id', 'name', 'vmid', 'adopt', 'description'],
  ...['disks', 'networks', 'smbios', 'cloudInit', 'options'],
];

/** Makes a class of each size that several machines have, and defaults of what all machines say alike. */
export function shareValues(machines: readonly Json[]): Shared {
  if (machines.length < 2) return { defaults: {}, classes: [], machines: machines.map(json => ({ json })) };
  const sizes = machines.map(sizeOf);
  const counts = new Map<string, number>();
  for (const size of sizes) if (size) counts.set(canonical(size), (counts.get(canonical(size)) ?? 0) + 1);
  const isShared = (size: Json | undefined): size is Json =>
    size !== undefined && (counts.get(canonical(size)) ?? 0) > 1;
  const classes = new Map<string, MachineClass>();
  for (const size of sizes.filter(isShared)) classes.set(canonical(size), { name: nameOf(size), ...size });
  const classed = machines.map((json, index) => {
    const size = sizes[index];
    return isShared(size) ? { json: withoutSize(json), class: nameOf(size) } : { json };
  });
  const defaults = common(classed.map(({ json }) => json));
  const own = classed.map(machine => ({ ...machine, json: less(machine.json, Object.keys(defaults)) }));
  return { defaults, classes: [...classes.values()], machines: own };
}

/** Processors and memory of a machine that says both. */
function sizeOf({ cpu, memory }: Json): Json | undefined {
  const cores = isRecord(cpu) ? cpu['cores'] : undefined;
  return typeof cores === 'number' && memory !== undefined ? { cpus: cores, memory } : undefined;
}

function nameOf({ cpus, memory }: Json): string {
  return `cpu${String(cpus)}-memory${String(memory).toLowerCase()}`;
}

function withoutSize(json: Json): Json {
  const { cpu } = json;
  const left = isRecord(cpu) ? less(cpu, ['cores']) : {};
  return Object.keys(left).length === 0
    ? less(json, ['cpu', 'memory'])
    : less({ ...json, cpu: left }, ['memory']);
}

/** What every machine says, in the same words. */
export function common([first = {}, ...others]: readonly Json[]): Json {
  const entries = Object.entries(first).filter(
    ([field, value]) =>
      !OF_ITSELF.includes(field) &&
      others.every(other => other[field] !== undefined && canonical(other[field]) === canonical(value)),
  );
  return Object.fromEntries(entries);
}
