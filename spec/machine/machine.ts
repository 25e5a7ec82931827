import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { always, optional } from '../fields/field';
import { settingFields } from './settings';
import { DnsLabel, MachineId, VmName } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { setOf, text, wholeNumber } from '../fields/wants';

const ClearPath = text(
  /^[a-zA-Z]+(?:\[[a-zA-Z0-9-]+\])?(?:\.[a-zA-Z0-9_-]+)?$/,
  'the name of a field, such as "description", "cpu.limit" or "networks[lan].vlan"',
);
const RevertTo = text(
  /^(?!(?:current|pending)(?:#|$))[a-zA-Z][a-zA-Z0-9_-]{1,39}(?:#\d{1,9})?$/,
  'the name of a snapshot, 2 to 40 letters, digits, "_" or "-", and "#2" and so on to go back to it once more',
);

/** One machine as it is wanted. A field that is absent is not managed: never touched, never a drift. */
export const MachineSpec = strictObject(() => ({
  id: MachineId.meta({ description: 'The identity of the machine, unique per owner.' }),
  formerIds: optional(setOf(MachineId), 'Ids that this machine had before.'),
  name: optional(VmName, 'Name of the guest. Without it the id; a guest that is adopted keeps its own.'),
  cluster: optional(DnsLabel, 'The cluster, where there are several.'),
  vmid: optional(wholeNumber(100, 999_999_999), "The guest's number. Without it the lowest free one."),
  adopt: always(z.boolean(), ALWAYS.adopt, 'Take over the guest that has this vmid, as it is.'),
  asTemplate: optional(
    z.boolean(),
    'Make a template of it once it is as wanted: it is never started, and others are cloned from it, linked.',
  ),
  ...settingFields(),
  revertTo: optional(
    RevertTo,
    'Go back to this snapshot, once per value. The machine is then brought to its spec.',
  ),
  clear: optional(setOf(ClearPath), 'Fields to remove from the guest.'),
}));
export type MachineSpec = z.infer<typeof MachineSpec>;
