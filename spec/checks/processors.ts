import { formatSize, MiB } from '../values/size';
import type { MachineSpec } from '../machine/machine';
import type { Finding } from '../reading/problem';
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

/** What memory may be with hotplug: 1024 MiB and 32 modules of 512 MiB, then of twice that, and so on (recording g2). */
export function pluggable(wanted: number): { below: number; above: number } {
  let [below, size] = [1024, 512];
  if (wanted < below) return { below, above: below };
  for (let count = 1; below + size <= wanted; count += 1) {
    below += size;
    if (count % 32 === 0) size *= 2;
  }
  return { below, above: below === wanted ? below : below + size };
}

function* pluggedMemoryFindings(machine: MachineSpec): Iterable<Finding> {
  const { hotplug, cpu, memory = isFresh(machine) ? FRESH.memory : undefined } = machine;
  if (hotplug?.includes('memory') !== true || memory === undefined || cpu?.numa === false) return;
  if (cpu?.numa === undefined && isFresh(machine)) return;
  const { below, above } = pluggable(memory / MiB);
  if (above * MiB === memory) return;
  const sizes = [...new Set([below, above])].map(size => `"${formatSize(size * MiB)}"`);
  yield {
    path: ['memory'],
    given: formatSize(memory),
    reason:
      'does not start with memory hotplug, which adds modules of 512 MiB to 1 GiB, larger ones above 17 GiB',
    allowed: `here ${sizes.join(' or ')}`,
    remedy: `Set memory to ${sizes.join(' or ')}, or take "memory" out of hotplug.`,
  };
}

function* memoryFindings(machine: MachineSpec): Iterable<Finding> {
  yield* pluggedMemoryFindings(machine);
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
