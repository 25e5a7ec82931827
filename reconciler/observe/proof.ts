import { hasUuidOf, markOf } from './guest';
import { MAKES } from './refused-guest';
import type { Mark } from '../mark/mark';
import { PveError, readConfig, type GuestAddress, type Pve } from '../pve';

/**
 * Whose machine a guest is proven to be, of any owner: its mark. `untold`: nothing tells, it is being made or its node
 * is away; `gone`: it is not there; undefined: nobody's. Tags and description alone prove nothing: Proxmox gives a clone those of its source.
 */
export async function proofOf(pve: Pve, guest: GuestAddress): Promise<Mark | 'untold' | 'gone' | undefined> {
  try {
    const config = await readConfig(pve, guest);
    const mark = markOf(config);
    if (mark && (mark.isUnfinished === true || hasUuidOf(mark, config))) return mark;
    return MAKES.includes(config.current['lock'] ?? '') ? 'untold' : undefined;
  } catch (error) {
    if (!(error instanceof PveError)) throw error;
    if (error.kind === 'not-found') return 'gone';
    // its node is away
    if (error.kind === 'unreachable') return 'untold';
    throw error;
  }
}
