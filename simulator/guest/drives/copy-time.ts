import type { Sim } from '../../cluster/sim';
import { findVolume } from '../../storage/volumes/volumes';
import { copying, mirrored, transferred } from '../../tasks/copying';
import type { TaskContext } from '../../tasks/task';
import { isMirrored, mirrorEnd, type DriveCopy } from './copy';
import type { Drive } from './drive';
import { isCloudInit } from './drive';

/** Takes the time in which the data of a drive is copied to the one that was made for it, and tells how far it is. */
export async function copyData(
  sim: Sim,
  task: TaskContext,
  copy: DriveCopy,
  made: Drive,
  ms: number,
): Promise<void> {
  const bytes = findVolume(sim, copy.node, made.file)?.size ?? 0;
  const isLive = isMirrored(copy);
  if (!copy.full || isCloudInit(made)) await task.work(ms);
  else
    await copying(task, ms, share =>
      copy.log(isLive ? mirrored(copy.source.key, bytes, share, ms) : transferred(bytes, share)),
    );
  mirrorEnd(copy).forEach(line => copy.log(line));
}
