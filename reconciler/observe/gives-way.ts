import { markOf } from './guest-facts';
import type { NameIndex } from './name-index';
import type { ListedGuest } from '../observed';
import type { Finding, Sought } from './sought';

/**
 * Whether whoever has the id that a machine is to get is gone by the time it is made: it went since it was listed, or
 * it is a machine of the same owner that nobody wants any more. Then Terraform destroys it before it makes another.
 */
export async function givesWay(
  holder: ListedGuest,
  finding: Finding | undefined,
  { identity, staying }: Sought,
  names: NameIndex,
): Promise<boolean> {
  if (finding === undefined) {
    return holder.type === 'qemu' && (await names.afresh().withIds([holder.vmid])).length === 0;
  }
  const mark = markOf(finding.config);
  if (staying === undefined || mark === undefined || mark === 'damaged') return false;
  return mark.o === identity.owner && !staying.has(mark.m);
}
