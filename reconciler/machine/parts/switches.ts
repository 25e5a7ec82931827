import type { Part } from '../scene';
import { wantsFrom, type FieldTable } from '../want';

/** Fields that are one plain key each. */
const SWITCHES: FieldTable = {
  name: 'name',
  protection: 'protection',
  onBoot: 'onboot',
  kvm: 'kvm',
  acpi: 'acpi',
  localtime: 'localtime',
  tablet: 'tablet',
  keyboard: 'keyboard',
  hookScript: 'hookscript',
};

export const switches: Part = ({ spec }) => wantsFrom('', SWITCHES, { ...spec, name: spec.name ?? spec.id });

/** `options{}`: keys of Proxmox in its own words. */
export const options: Part = ({ spec }) =>
  Object.entries(spec.options ?? {}).map(([key, value]) => ({
    field: `options.${key}`,
    key,
    value,
  }));
