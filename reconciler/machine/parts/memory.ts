import { MiB } from '../../../spec';
import type { Part } from '../scene';
import { wantsFrom, type FieldTable, type Want } from '../want';

export const MEMORY: FieldTable = {
  memory: 'memory.current',
  balloon: 'balloon',
  shares: 'shares',
  hugepages: 'hugepages',
};

/** Memory, ballooning and huge pages. Proxmox counts in MiB. */
export const memory: Part = ({ spec, next }) => {
  const { memory: bytes, balloon, shares, hugepages } = spec;
  const wants = wantsFrom('', MEMORY, {
    memory: bytes === undefined ? undefined : bytes / MiB,
    balloon: typeof balloon === 'number' ? balloon / MiB : balloon === false ? 0 : undefined,
    shares,
    hugepages,
  });
  return balloon === true ? [...wants, ...switchedOn(next.balloon)] : wants;
};

/** `balloon: true`: any smallest size is right but 0, which is off. Without the key it is on. */
function switchedOn(balloon: string | undefined): Want[] {
  return Number(balloon) === 0 ? [{ field: 'balloon', key: 'balloon', value: null }] : [];
}
