import type { MachineClass } from './class';
import { isRecord } from '../reading/path';

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

function namesIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter(name => typeof name === 'string') : [];
}
