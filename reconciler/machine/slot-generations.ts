import { generationOf } from '../guest/generation';
import type { Scene } from './scene';
import type { Mark } from '../mark/mark';

/**
 * For each disk that came after the machine was made, the generation in which it was last known to be in its slot. Those
 * that a machine is made with need none: no snapshot is older than they are.
 */
export function slotGenerations({ spec, slots, origin, mark, current }: Scene): Mark['dg'] {
  const now = generationOf(current);
  if (origin !== 'kept' || now === undefined || spec.disks === undefined) return mark?.dg;
  const came = Object.entries(slots.disks).filter(
    ([name, slot]) => mark?.b !== 1 && (mark?.dg?.[name] !== undefined || mark?.d?.[name] !== slot),
  );
  return came.length === 0 ? undefined : Object.fromEntries(came.map(([name]) => [name, now]));
}
