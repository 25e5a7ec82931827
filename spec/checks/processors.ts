import { formatSize } from '../size';
import type { MachineSpec } from '../machine';
import type { Finding } from '../problem';

/** Processors and memory that contradict each other. */
export function* processorFindings({ cpu = {}, memory, balloon, hotplug }: MachineSpec): Iterable<Finding> {
  const { cores, sockets = 1, threadsPerCore = 1, vcpus } = cpu;
  const step = sockets * threadsPerCore;
  if (cores !== undefined && cores % step !== 0) {
    yield {
      path: ['cpu', 'cores'],
      reason: `cannot be divided by sockets × threadsPerCore (${sockets} × ${threadsPerCore})`,
      allowed: `a multiple of ${step}`,
      remedy: `Use ${Math.max(step, Math.floor(cores / step) * step)}, or change sockets or threadsPerCore.`,
    };
  }
  if (vcpus !== undefined && cores !== undefined && vcpus > cores * sockets) {
    yield {
      path: ['cpu', 'vcpus'],
      reason: `is more than cores × sockets (${cores} × ${sockets})`,
      allowed: `at most ${cores * sockets}`,
      remedy: `Lower it to ${cores * sockets}, or raise cores.`,
    };
  }
  if (typeof balloon === 'number' && memory !== undefined && balloon > memory) {
    yield {
      path: ['balloon'],
      reason: `is more than the memory (${formatSize(memory)})`,
      allowed: `at most ${formatSize(memory)}`,
      remedy: `Lower it to "${formatSize(memory)}" or less, or raise memory.`,
    };
  }
  // PVE: start fails "NUMA needs to be enabled for memory hotplug" (behaviour.md §4).
  if (hotplug?.includes('memory') === true && cpu.numa === false) {
    yield {
      path: ['hotplug'],
      reason: 'holds "memory", which needs NUMA',
      remedy: 'Set cpu.numa to true, or take "memory" out.',
    };
  }
}
