import { fail } from '../../failure';
import type { Sim } from '../../cluster/sim';
import type { TaskContext } from '../../tasks/task';
import type { Place } from '../place';

/** Fails when the cluster file system takes no writes. To be called where a task writes the configuration file. */
export function requireWritable(sim: Sim, task: TaskContext, place: Place): void {
  needWritableConf(sim, place, parseInt(task.upid.split(':')[2] ?? '0', 16));
}

/** As `requireWritable`, outside of tasks: the API daemon writes under its own process id. */
export function needWritableConf(sim: Sim, { node, vmid }: Place, pid?: number): void {
  const { cluster } = sim.world;
  if (!cluster || cluster.quorate) return;
  fail(
    `unable to open file '/etc/pve/nodes/${node}/qemu-server/${vmid}.conf.tmp.${pid ?? 1000 + sim.random.below(9000)}' - Permission denied`,
  );
}
