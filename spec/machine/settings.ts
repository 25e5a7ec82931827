import * as z from 'zod';
import { bootFields } from './boot';
import { CloudInitSpec } from './cloud-init';
import { CpuSpec } from './cpu';
import { ALWAYS } from '../fields/defaults';
import { deviceFields } from './devices';
import { DiskSpec } from './disk';
import { always, optional } from '../fields/field';
import { firmwareFields } from './firmware';
import { HaSpec } from './ha';
import { imageChangeField, ImageSpec } from './image';
import { memoryFields } from './memory';
import { LabelKey, LabelValue, NodeName, OwnTag, PoolId } from '../values/names';
import { NetworkSpec } from './network';
import { PlacementSpec } from './placement';
import { powerFields } from './power';
import { strictObject } from '../fields/strict-object';
import { WaitForSpec } from './wait-for';
import { setOf, wants } from '../fields/wants';

/** The fields whose change may need a rebuild, and which rebuildOn may therefore name. */
export const REBUILD_FIELDS = [
  'bios',
  'cloudInit',
  'disks',
  'efiDisk',
  'image',
  'machine',
  'osType',
  'secureBoot',
  'tpm',
  'vmid',
] as const;

/** Every field of a machine that many machines may share: all but who it is. */
export const settingFields = () => ({
  node: optional(NodeName, 'Preferred node.'),
  pin: always(z.boolean(), ALWAYS.pin, 'Stay on node: another one is a drift that migration heals.'),
  placement: optional(PlacementSpec, 'Where a new machine may go.'),
  image: optional(ImageSpec, 'What the machine is made from.'),
  ...imageChangeField(),
  cpu: optional(CpuSpec, 'Processors.'),
  ...memoryFields(),
  disks: optional(z.array(DiskSpec), 'Disks, by name.'),
  networks: optional(z.array(NetworkSpec), 'Network cards, by name.'),
  description: optional(z.string(wants('text')), 'Text for people.'),
  tags: optional(setOf(OwnTag), 'Tags, as a set.'),
  pool: optional(PoolId, 'Resource pool.'),
  labels: optional(z.record(LabelKey, LabelValue), 'For selectors; they have no form in Proxmox.'),
  ha: optional(
    HaSpec,
    'Membership in high availability. The state that HA keeps is that of power. HA rules stay with who runs the cluster: one rule speaks of several machines, also of other owners.',
  ),
  protection: optional(z.boolean(), 'Destroying is refused until this is false and applied.'),
  rebuildOn: always(
    setOf(z.enum(REBUILD_FIELDS)),
    [...ALWAYS.rebuildOn],
    'Fields whose change here may destroy the machine and create it again. A field is named and applied before it changes. What somebody changes on the guest makes nothing anew.',
  ),
  ...powerFields(),
  ...firmwareFields(),
  ...bootFields(),
  ...deviceFields(),
  cloudInit: optional(CloudInitSpec, 'What happens at the first start.'),
  waitFor: always(WaitForSpec, ALWAYS.waitFor, 'What a run waits for after a start.'),
  options: optional(
    z.record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean()], wants('text, a number, true or false')),
    ),
    'Any other key of PVE, in its own words.',
  ),
});

/** Settings that a cluster gives all its machines: any field of a machine but who it is. */
export const MachineSettings = strictObject(settingFields);
export type MachineSettings = z.infer<typeof MachineSettings>;
