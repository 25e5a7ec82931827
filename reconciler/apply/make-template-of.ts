import type { ObservedGuest } from '../observed';
import { PveError, TaskError, makeTemplate, readConfig, type Pve, type TaskWait } from '../pve';

/** Turns a guest into a template. One that another run has turned into one meanwhile is done. */
export async function makeTemplateOf(pve: Pve, guest: ObservedGuest, wait: TaskWait): Promise<void> {
  try {
    await makeTemplate(pve, guest, wait);
  } catch (error) {
    const mayBeDone = error instanceof PveError || error instanceof TaskError;
    if (!mayBeDone || error.kind !== 'failed') throw error;
    if ((await readConfig(pve, guest)).current['template'] !== '1') throw error;
  }
}
