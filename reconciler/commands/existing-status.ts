import type { DesiredState, ExistingOutputs, Outputs } from '../../spec';
import { remedyText } from '../action';
import { RefusedError } from '../errors';
import { table } from '../report/status-table';
import { readExisting } from '../run/reads/existing-guests';
import type { Run } from '../run/run';

/** What is known of the guests that a desired state only reads; none where it reads none. `failed` hears of each that is not told. */
export async function existingStatus(
  run: Run,
  { existing = [] }: DesiredState,
  failed: (error: RefusedError) => void,
): Promise<Pick<Outputs, 'existing'>> {
  if (existing.length === 0) return {};
  const answers = await Promise.all(
    existing.map(async wanted => {
      const told = await readExisting(run, wanted);
      if ('guests' in told) {
        const [only] = told.guests;
        return [wanted.id, wanted.allWithTag === undefined && only ? only : told.guests] as const;
      }
      failed(new RefusedError([{ machine: wanted.id, ...told.objection }]));
      return [wanted.id, { problem: `${told.objection.detail} ${remedyText(told.objection)}` }] as const;
    }),
  );
  return { existing: Object.fromEntries(answers) };
}

/** The guests that are only read, one line each. */
export function existingTable(existing: NonNullable<Outputs['existing']>): string {
  const rows = Object.entries(existing).flatMap(([id, told]) => {
    if ('problem' in told) return [[id, '-', '-', '-', '-', '-']];
    const guests = Array.isArray(told) ? told : [told];
    return guests.map(guest => [id, ...cells(guest)]);
  });
  return table(['EXISTING', 'VMID', 'NAME', 'NODE', 'POWER', 'ADDRESSES'], rows);
}

function cells({ vmid, name, node, powerState, ipAddresses }: ExistingOutputs): string[] {
  return [String(vmid), name ?? '-', node, powerState, ipAddresses.join(',') || '-'];
}
