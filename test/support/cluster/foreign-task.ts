import type { Simulator } from '../../../simulator';

/** A task of somebody else, which runs until it is stopped. */
export function foreignTask(
  { sim }: Pick<Simulator, 'sim'>,
  { type, id, node = 'pve1', user = 'eve@pve', log = [] as string[] }: ForeignTask,
): { upid: string; stop: () => void } {
  const upid = sim.tasks.start({ type, id, node, user }, async task => {
    log.forEach(line => task.log(line));
    await task.work(10 ** 9);
  });
  return { upid, stop: () => sim.tasks.stop(upid) };
}

interface ForeignTask {
  type: string;
  id: string;
  node?: string;
  user?: string;
  log?: string[];
}
