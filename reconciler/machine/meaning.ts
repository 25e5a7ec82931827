import { propertiesOf, type Configuration } from '../guest/configuration';
import { placeRow, type PlaceRow } from '../pve/keys/key-row';
import { SAME } from '../pve/keys/same-value';
import type { Want, WantValue } from './want';

/** What the configuration holds at a want's place; undefined where there is nothing. */
export function valueAt(config: Configuration, { key, property }: Pick<Want, 'key' | 'property'>) {
  const text = config[key];
  if (property !== undefined) return propertiesOf(key, text)[property];
  // PVE: an emptied list of tags and the boot order of a guest without devices are one blank
  return text === undefined || text.trim() === '' ? undefined : text;
}

/**
 * What holds at a place: what the configuration says there, else what Proxmox does without a word; empty where neither.
 * A boolean property that is said is `true` or `false`, a default is 1 or 0.
 */
export function effectiveAt(config: Configuration, place: Pick<Want, 'key' | 'property'>): string {
  return String(valueAt(config, place) ?? placeRow(place)?.default ?? '');
}

/** Whether the configuration already says what a want says, in whatever spelling, or by a default of Proxmox. */
export function isSatisfied(want: Want, config: Configuration): boolean {
  const have = valueAt(config, want);
  const row = placeRow(want) ?? {};
  const fallback = row.default;
  if (want.value === null) return have === undefined || (fallback !== undefined && same(row, fallback, have));
  const effective = have ?? fallback;
  return effective !== undefined && same(row, want.value, effective);
}

function same({ same: sameness }: PlaceRow, want: WantValue, have: WantValue): boolean {
  if (sameness !== undefined) return SAME[sameness](String(want), String(have));
  if (typeof want === 'boolean') return asBoolean(have) === want;
  if (typeof want === 'number') return Number(have) === want;
  return String(have) === want;
}

function asBoolean(value: WantValue): boolean | undefined {
  if (/^(?:1|on|yes|true)$/i.test(String(value))) return true;
  return /^(?:0|off|no|false)$/i.test(String(value)) ? false : undefined;
}
