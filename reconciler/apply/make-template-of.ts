import { changed } from '../observe/same-guest';
import type { ObservedGuest } from '../observed';
import { volumesOfOthers } from '../plan/template';
import { PveError, TaskError, makeTemplate, readConfig, type Pve, type TaskWait } from '../pve';

/** Turns a guest into a template, as it was just read. One that another run has turned into one meanwhile is done. */
export async function makeTemplateOf(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  const others = volumesOfOthers(guest);
  if (others.length > 0)
    throw changed(guest, `guest ${guest.vmid} has volumes of others now: ${others.join(', ')}`);
  try {
    await makeTemplate(pve, guest, wait);
  } catch (error) {
    const mayBeDone = error instanceof PveError || error instanceof TaskError;
    if (!mayBeDone || error.kind !== 'failed') throw error;
    if ((await readConfig(pve, guest)).current['template'] !== '1') throw error;
  }
}
