import type { Change, Effect } from '../action';
import { propertiesOf, propertyText, type Configuration } from '../guest/configuration';
import { placeRow, type PlaceRow } from '../pve/keys/key-row';
import { booleanOf, pveText } from '../pve/keys/property-string';
import { SAME } from '../pve/keys/same-value';
import { shownValue } from './shown-value';
import type { Want, WantValue } from './want';

/** What it costs to bring a key from what runs to a text; undefined: the key goes. */
export type EffectOf = (key: string, text: string | undefined) => Effect;

/** What has to change so that a configuration says what is wanted. */
export interface Comparison {
  changes: Change[];
  /** The new text of each key that changes; what nobody wants inside it is kept. */
  set: Record<string, string>;
  delete: string[];
}

/**
 * Compares by meaning: another spelling of the same is no difference. A want that repeats a place wins over earlier
 * ones. `current` is what runs, where something else waits: a value that runs already is written as it stands there.
 */
export function compare(
  wants: readonly Want[],
  config: Configuration,
  effectOf: EffectOf = () => 'live',
  current: Configuration = config,
): Comparison {
  const differing = wants.filter(want => !isSatisfied(want, config));
  const comparison: Comparison = { changes: [], set: {}, delete: [] };
  for (const key of new Set(differing.map(want => want.key))) {
    const text = newText(key, wants, config, current);
    if (text !== undefined) comparison.set[key] = text;
    else if (config[key] !== undefined) comparison.delete.push(key);
  }
  const effectOfWant = (want: Want) => effectOf(want.key, comparison.set[want.key]);
  comparison.changes = changesOf(differing, config, effectOfWant);
  return comparison;
}

/** The new text of one key; undefined: it goes. */
function newText(
  key: string,
  all: readonly Want[],
  config: Configuration,
  current: Configuration,
): string | undefined {
  const wants = all.filter(want => want.key === key);
  const whole = wants.findLast(want => want.property === undefined);
  if (whole && isSatisfied(whole, current)) return current[key];
  if (whole) return whole.value === null ? undefined : pveText(whole.value);
  const properties = { ...propertiesOf(key, config[key]) };
  const places = new Map(wants.map(want => [want.property, want]));
  for (const [property, want] of places) {
    if (property === undefined) continue;
    // PVE: a value that says its own default makes a drive's line wait (behaviour.md §15.4)
    if (config[key] !== undefined && isSatisfied(want, config)) continue;
    const runs = current[key] !== undefined && isSatisfied(want, current);
    const value = runs ? valueAt(current, want) : (want.value ?? undefined);
    if (value === undefined) delete properties[property];
    else properties[property] = value;
  }
  const text = propertyText(key, properties);
  return text === '' ? undefined : text;
}

const COSTS: readonly Effect[] = ['live', 'restart', 'rebuild', 'refused'];

/** One change a field, however many places it has in Proxmox. */
function changesOf(
  differing: readonly Want[],
  config: Configuration,
  effectOf: (want: Want) => Effect,
): Change[] {
  return [...new Set(differing.map(({ field }) => field))].map(field => {
    const wants = differing.filter(want => want.field === field);
    const costs = wants.map(effectOf).map(effect => COSTS.indexOf(effect));
    return {
      field,
      from: shown(wants, want => valueAt(config, want) ?? byDefault(want)),
      to: shown(wants, want => want.value),
      effect: COSTS[Math.max(...costs)] ?? 'live',
    };
  });
}

function shown(wants: readonly Want[], valueOf: (want: Want) => Want['value']): string | undefined {
  const parts = wants.flatMap(want => {
    const value = valueOf(want);
    if (value === null) return [];
    const text = want.secret === true ? '(secret)' : shownValue(want, value);
    return wants.length === 1 ? [text] : [`${want.property ?? want.key}=${text}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** What a guest has where nothing is said. Of a device's property nothing: the device may not be there. */
function byDefault(want: Want): WantValue | null {
  const isOfEach = want.property === undefined || want.key === 'memory';
  return isOfEach ? (placeRow(want)?.default ?? null) : null;
}

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
  if (typeof want === 'boolean') return booleanOf(String(have)) === want;
  if (typeof want === 'number') return Number(have) === want;
  return String(have) === want;
}
