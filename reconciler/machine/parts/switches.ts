import { PVE_KEYS } from '../../../spec';
import type { Part, Scene } from '../scene';
import { wantsFrom, type FieldTable } from '../want';

/** Fields that are one plain key each. */
export const SWITCHES: FieldTable = Object.fromEntries(
  Object.entries(PVE_KEYS).flatMap(([key, { field, isPlain }]) => (field && isPlain ? [[field, key]] : [])),
);

export const switches: Part = ({ spec, origin }) =>
  wantsFrom('', SWITCHES, { ...spec, name: nameOf(spec, origin) });

/** An adopted guest keeps its name, unless the spec says one: the id is only what we call it. */
function nameOf({ id, name, adopt }: Scene['spec'], origin: Scene['origin']): string | undefined {
  const isTakenOver = adopt === true && (origin === 'adopted' || origin === 'kept');
  return name ?? (isTakenOver ? undefined : id);
}

/** `options{}`: keys of Proxmox in its own words. */
export const options: Part = ({ spec }) =>
  Object.entries(spec.options ?? {}).map(([key, value]) => ({
    field: `options.${key}`,
    key,
    value,
  }));
