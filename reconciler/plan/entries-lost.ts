import type { MachineSpec } from '../../spec';
import type { ObservedGuest } from '../observed';
import { isAboutHa } from '../machine/parts/ha';

/**
 * What others gave a guest, and the machine that is made in its place does not get: a pool, and a place in HA. What the
 * spec says of them is no loss. As the listing told it. Pure.
 */
export function entriesLost(
  spec: MachineSpec,
  { pool, haManaged }: Pick<ObservedGuest, 'pool' | 'haManaged'>,
): string[] {
  const isPoolSaid = spec.pool !== undefined || spec.clear?.includes('pool') === true;
  return [
    ...(pool === undefined || isPoolSaid ? [] : [`pool ${pool}`]),
    ...(haManaged && !isAboutHa(spec) ? ['HA with its rules'] : []),
  ];
}
