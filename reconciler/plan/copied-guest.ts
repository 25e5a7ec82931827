import type { MachineSpec } from '../../spec';
import type { Action, CopiedGuest, GuestPlace } from '../action';
import type { ListedGuest } from '../observed';

/** A guest that is to be copied, as the listing tells it. Undefined: the listing does not have it. */
export function copiedGuest(
  { image }: Pick<MachineSpec, 'image'>,
  place: GuestPlace,
  guests: readonly ListedGuest[],
): CopiedGuest | undefined {
  const guest = guests.find(({ vmid }) => vmid === place.vmid);
  if (guest === undefined) return undefined;
  const { template, name } = guest;
  return { ...place, template, ...(name !== undefined && image?.template === name && { name }) };
}

/** The action, where it makes the machine anew with what it is then copied from. */
export function copying(action: Action, { copies }: { copies?: CopiedGuest }): Action {
  return action.kind === 'destroy' && copies !== undefined ? { ...action, copies } : action;
}
