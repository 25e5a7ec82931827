import { hardwareProblems, MiB, type MachineSpec } from '../../../spec';
import type { Configuration } from '../../guest/configuration';
import { effectiveAt } from '../compare';
import type { Problem } from '../problem';
import type { Scene } from '../scene';
import { placeOf } from '../want';

/**
 * What the spec wants and the guest's own hardware, of which the spec says nothing, cannot have: more CPUs than its
 * cores, a balloon above its memory, an Intel vIOMMU on its i440fx. PVE refuses some of it, and the next start the rest.
 */
export function unfit({ spec, next }: Scene): Problem[] {
  if (Object.keys(next).length === 0) return [];
  const problems = hardwareProblems(completed(spec, next));
  const own = problems.length === 0 ? [] : ofTheGuest(next);
  const ofTheSpec = problems.filter(({ path, reason }) => !own.includes(`${path}: ${reason}`));
  return ofTheSpec.map(({ path: field, value: to, reason, allowed, remedy }) => {
    const may = allowed === undefined ? '' : `; allowed: ${allowed}`;
    const detail = `${field}: ${to ?? ''} ${reason}, on the guest as it is${may}.`;
    return { field, to, why: 'unfit', detail, remedy };
  });
}

/** What the guest contradicts by itself, as somebody made it: a spec that says the same changes nothing. */
function ofTheGuest(config: Configuration): string[] {
  const alone = { id: '', memory: Number(effectiveAt(config, placeOf('memory.current'))) * MiB };
  return hardwareProblems(completed(alone, config)).map(({ path, reason }) => `${path}: ${reason}`);
}

/** The spec with what the guest has where the spec is silent. */
function completed(spec: MachineSpec, config: Configuration): MachineSpec {
  const there = (place: string): string => effectiveAt(config, placeOf(place));
  const said = typeof spec.machine === 'string' ? { type: spec.machine } : spec.machine;
  return {
    ...spec,
    hotplug: spec.hotplug ?? (isAboutMemory(spec) ? plugged(there('hotplug')) : undefined),
    memory: spec.memory ?? Number(there('memory.current')) * MiB,
    cpu: {
      ...spec.cpu,
      cores: spec.cpu?.cores ?? Number(there('cores')),
      sockets: spec.cpu?.sockets ?? Number(there('sockets')),
      numa: spec.cpu?.numa ?? there('numa') === '1',
    },
    machine: { ...said, type: said?.type ?? there('machine.type') },
  };
}

function isAboutMemory({ memory, cpu }: MachineSpec): boolean {
  return memory !== undefined || cpu?.numa !== undefined;
}

/** Only what contradicts memory and processors: a list that the guest has, in the spec's words. */
function plugged(text: string): MachineSpec['hotplug'] {
  return (['memory', 'cpu'] as const).filter(feature => text.split(',').includes(feature));
}
