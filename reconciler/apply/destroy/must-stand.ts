import type { CopiedGuest } from '../../action';
import { RefusedError } from '../../errors';
import { PveError, readConfig, type Pve } from '../../pve';

/**
 * Throws where the guest that a machine is to be made anew from is not there any more, or is another one. To be called
 * after the machine was stopped and before it is destroyed: a shutdown takes minutes, and nobody holds a template for us.
 */
export async function mustStand(pve: Pve, machine: string, copied: CopiedGuest): Promise<void> {
  const why = await whyNot(pve, copied);
  if (why === undefined) return;
  const detail = `it was to be made anew from VM ${copied.vmid} on ${copied.node}, which ${why}. The machine was not destroyed.`;
  const remedy = 'Bring that back, or name another image; then run again: the cluster is read anew.';
  throw new RefusedError([{ machine, why: 'source-gone', detail, remedy }]);
}

async function whyNot(pve: Pve, copied: CopiedGuest): Promise<string | undefined> {
  try {
    const { current } = await readConfig(pve, copied);
    if (copied.template && current['template'] !== '1') return 'is no template any more';
    const { name } = current;
    return copied.name === undefined || copied.name === name ? undefined : `is called '${name ?? ''}' now`;
  } catch (error) {
    if (error instanceof PveError && error.kind === 'not-found') return 'is not there any more';
    throw error;
  }
}
