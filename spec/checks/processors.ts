import { formatSize, MiB } from '../size';
import type { MachineSpec } from '../machine';
import type { Finding } from '../problem';
import { isFresh } from './chipset';

/** Processors and memory that contradict each other. */
export function* processorFindings(machine: MachineSpec): Iterable<Finding> {
  yield* coreFindings(machine);
  yield* memoryFindings(machine);
  const { cpu: { numa = isFresh(machine) ? false : undefined } = {}, hotplug, hugepages } = machine;
  if (numa !== false) return;
  // PVE: start fails "NUMA needs to be enabled for memory hotplug" (behaviour.md §4); for huge pages alike (assumed)
  const needs = { hotplug: hotplug?.includes('memory') === true, hugepages: hugepages !== undefined };
  for (const [field, isSaid] of Object.entries(needs)) {
    if (!isSaid) continue;
    yield {
      path: [field],
      reason: `${field === 'hotplug' ? 'holds "memory", which needs' : 'needs'} NUMA, and cpu.numa is ${machine.cpu?.numa ?? 'not set'}`,
      allowed: 'with cpu.numa true',
      remedy: `Set cpu.numa to true, or ${field === 'hotplug' ? 'take "memory" out' : 'remove it'}.`,
    };
  }
}

/** PVE's own defaults: what a machine made from nothing has when its spec does not say. */
const FRESH = { cores: 1, memory: 512 * MiB };

function* coreFindings(machine: MachineSpec): Iterable<Finding> {
  const fresh = isFresh(machine);
  const { cores, sockets = 1, threadsPerCore = 1, vcpus } = machine.cpu ?? {};
  // PVE counts cores for each socket and knows no threads: the guest sees cores × sockets
  if (cores !== undefined && cores % threadsPerCore !== 0) {
    yield {
      path: ['cpu', 'cores'],
      reason: `cannot be divided by threadsPerCore (${threadsPerCore})`,
      allowed: `a multiple of ${threadsPerCore}`,
      remedy: `Use ${cores + 1}, or change threadsPerCore.`,
    };
  }
  const known = cores ?? (fresh ? FRESH.cores : undefined);
  if (vcpus !== undefined && known !== undefined && vcpus > known * sockets) {
    yield {
      path: ['cpu', 'vcpus'],
      reason: `is more than cores × sockets (${known} × ${sockets})`,
      allowed: `at most ${known * sockets}`,
      remedy: `Lower it to ${known * sockets}, or raise cores.`,
    };
  }
}

function* memoryFindings(machine: MachineSpec): Iterable<Finding> {
  const { balloon, memory = isFresh(machine) ? FRESH.memory : undefined } = machine;
  if (typeof balloon === 'number' && memory !== undefined && balloon > memory) {
    yield {
      path: ['balloon'],
      reason: `is more than the memory (${formatSize(memory)})`,
      allowed: `at most ${formatSize(memory)}`,
      remedy: `Lower it to "${formatSize(memory)}" or less, or raise memory.`,
    };
  }
}
