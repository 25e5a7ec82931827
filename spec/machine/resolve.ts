import type { MachineClass } from './class';
import { isRecord } from '../reading/path';

// Where nothing in it says the same as no field at all. An empty `tags` or `disks` says that there are none.
const EMPTY_IS_ABSENT = ['clear', 'formerIds', 'rebuildOn'];

type Json = Record<string, unknown>;

// Objects whose fields are merged one by one; everything else is replaced as a whole.
const MERGED = ['cpu', 'cloudInit', 'labels', 'options', 'placement', 'timeouts'];

/**
 * A machine with its cluster's defaults and its class written into it: the machine's own fields win, then the class.
 * It takes and gives JSON that is not parsed yet, so that values which are not known yet pass through.
 */
export function resolveMachine(machine: Json, machineClass?: MachineClass, defaults: Json = {}): Json {
  const layers = [defaults, machineClass === undefined ? {} : settingsOf(machineClass), machine];
  const resolved = layers.reduce(merge, {});
  for (const cleared of namesIn(machine.clear)) if (machine[cleared] === undefined) delete resolved[cleared];
  const { class: storage, type: allocation } = machineClass?.storage ?? {};
  for (const field of EMPTY_IS_ABSENT) if (isEmpty(resolved[field])) delete resolved[field];
  if (!Array.isArray(resolved.disks)) return resolved;
  const own = (disk: unknown): unknown =>
    isRecord(disk) && disk.existingVolume === undefined
      ? merge(present({ storage, allocation }), disk)
      : disk;
  return { ...resolved, disks: resolved.disks.map(own) };
}

function settingsOf({ cpus, memory, machine, bios, onImageChange }: MachineClass): Json {
  return present({
    cpu: cpus === undefined ? undefined : { cores: cpus },
    memory,
    machine,
    bios,
    onImageChange,
  });
}

function merge(below: Json, above: Json): Json {
  const merged = { ...below };
  for (const [key, value] of Object.entries(present(above))) {
    const under = below[key];
    merged[key] = MERGED.includes(key) && isRecord(under) && isRecord(value) ? merge(under, value) : value;
  }
  return merged;
}

function present(json: Json): Json {
  return Object.fromEntries(
    Object.entries(json).filter(([, value]) => value !== undefined && value !== null),
  );
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(name => typeof name === 'string') : [];
}
