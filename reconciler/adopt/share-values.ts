import { canonical, isRecord } from '../../spec';
import { hasColumn, type Block } from './alike/blocks';
import { less, type Json } from './spec/said';

/** What several blocks of machines have in common, said once. */
export interface Shared {
  defaults: Json;
  classes: readonly MachineClass[];
}

/** A size, as what a machine says of it. */
interface MachineClass extends Json {
  name: string;
}

/** Who a machine is, and what is its own. */
const OF_ITSELF = [
  ...['id', 'name', 'vmid', 'adopt', 'description'],
  ...['disks', 'networks', 'smbios', 'cloudInit', 'options'],
];

/** A class of each size that several blocks have, and defaults of what all machines say alike. */
export function sharedBy(blocks: readonly Block[]): Shared {
  if (blocks.length < 2) return { defaults: {}, classes: [] };
  const classes = new Map<string, { size: MachineClass; count: number }>();
  for (const block of blocks) {
    const size = sizeOf(block);
    if (size === undefined) continue;
    const known = classes.get(canonical(size)) ?? { size, count: 0 };
    classes.set(canonical(size), { ...known, count: known.count + 1 });
  }
  const shared = [...classes.values()].filter(({ count }) => count > 1).map(({ size }) => size);
  const rest = blocks.map(block => withShared(block, { defaults: {}, classes: shared }));
  const own = blocks.flatMap(({ rows }) => rows.flatMap(row => Object.keys(row.own)));
  return { defaults: less(common(rest.map(({ json }) => json)), own), classes: shared };
}

/** A block without what is said once; `class`: the name of the class that says its size. */
export function withShared(block: Block, { defaults, classes }: Shared): Block & { class?: string } {
  const size = sizeOf(block);
  const its = size && classes.find(({ name }) => name === size.name);
  const json = less(its === undefined ? block.json : withoutSize(block.json), Object.keys(defaults));
  return { ...block, json, ...(its !== undefined && { class: its.name }) };
}

/** Processors and memory of a block that says both, for all of its machines. */
function sizeOf({ json: { cpu, memory }, rows }: Block): MachineClass | undefined {
  const cpus = isRecord(cpu) ? cpu['cores'] : undefined;
  // a machine with processors of its own would get what it does not say from the class
  const isOfAll = rows.every(({ own }) => own['cpu'] === undefined);
  if (typeof cpus !== 'number' || memory === undefined || hasColumn(memory) || !isOfAll) return undefined;
  return { name: `cpu${String(cpus)}-memory${String(memory).toLowerCase()}`, cpus, memory };
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
      !hasColumn(value) &&
      others.every(other => other[field] !== undefined && canonical(other[field]) === canonical(value)),
  );
  return Object.fromEntries(entries);
}
