import { hasOwnData } from '../../spec';
import { nextConfiguration } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import { isCardKey } from '../guest/key-kinds';
import { isoPlace, isosOf } from '../machine/wanted-data-iso';
import type { Planned } from './planned';

/**
 * The storages of ISOs with cloud-init data that this run removes once nothing uses them: a plan says it of those that
 * are loose, and a later round of the rest. Each once. Pure.
 */
export function leavingIsos(planned: Planned): string[] {
  const { spec, plan, have, context } = planned;
  if (!('guest' in have)) return [];
  const { mark, node } = have.guest;
  const files = (isosOf({ spec, context, mark, node })?.files ?? []).filter(
    ({ users }) => users.length === 0,
  );
  if (files.length === 0) return [];
  const { current, pending } = have.guest;
  const after: Record<string, string> = { ...nextConfiguration(current, pending) };
  for (const action of plan.actions) {
    if (action.kind !== 'configure') continue;
    Object.assign(after, action.set);
    for (const key of action.delete) delete after[key];
  }
  const stays = new Set(Object.values(after).map(text => readDrive(text).file));
  const isReplaced = comesLater(planned);
  const leaving = files.filter(({ volume }) => isReplaced || !stays.has(volume));
  return [...new Set(leaving.map(({ volume }) => volume.slice(0, volume.indexOf(':'))))];
}

/** Whether other data comes in a later round: it goes to another storage, or there is a card whose address is not known yet. */
function comesLater({ spec, plan, have, context }: Planned): boolean {
  if (!hasOwnData(spec.cloudInit) || !('guest' in have)) return false;
  const { mark, current, node } = have.guest;
  const place = isoPlace({ spec, context, mark, node });
  const isElsewhere = place !== undefined && mark?.dataIsoPlaces?.includes(place.place) !== true;
  const isNewCard = (key: string): boolean => isCardKey(key) && current[key] === undefined;
  return (
    isElsewhere ||
    plan.actions.some(action => action.kind === 'configure' && Object.keys(action.set).some(isNewCard))
  );
}
