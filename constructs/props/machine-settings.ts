import type { IResolvable } from 'cdktf';
import type { BootProps } from './boot';
import type { CloudInitProps } from './cloud-init';
import type { CpuProps } from './cpu';
import type { DevicesProps } from './devices';
import type { DiskProps } from './disk';
import type { FirmwareProps } from './firmware';
import type { HaProps } from './ha';
import type { Image } from '../values/image';
import type { MemoryProps } from './memory';
import type { NetworkProps } from './network';
import type { PlacementProps } from './placement';
import type { PowerProps } from './power';
import type { WaitForAddressProps } from './wait-for';

/** A field whose change may need a rebuild. */
export type RebuildField =
  'bios' | 'cloudInit' | 'disks' | 'efiDisk' | 'image' | 'machine' | 'osType' | 'secureBoot' | 'tpm' | 'vmid';

/**
 * Everything of a machine that many machines may share. "Not managed" means: what Proxmox has stays as it is, and is
 * never a drift.
 */
export interface MachineSettingsProps
  extends MemoryProps, PowerProps, FirmwareProps, BootProps, DevicesProps {
  /**
   * Preferred node.
   * @default - the reconciler chooses one by placement
   */
  readonly node?: string;
  /**
   * Stay on that node: another one is a drift that migration heals.
   * @default false
   */
  readonly pin?: boolean | IResolvable;
  /**
   * Where a new machine may go; a PlacementPolicy says it for many.
   * @default - the emptiest node that the cluster allows
   */
  readonly placement?: PlacementProps;
  /**
   * What the machine is made from. Only a machine with `adopt` may go without.
   * @default - none
   */
  readonly image?: Image;
  /**
   * Processors.
   * @default - not managed
   */
  readonly cpu?: CpuProps;
  /**
   * Disks, each known by its name.
   * @default - not managed
   */
  readonly disks?: readonly DiskProps[];
  /**
   * Network cards, each known by its name.
   * @default - not managed
   */
  readonly networks?: readonly NetworkProps[];
  /**
   * Text for people.
   * @default - not managed
   */
  readonly description?: string;
  /**
   * Tags, as a set.
   * @default - not managed
   */
  readonly tags?: readonly string[];
  /**
   * Membership in Proxmox's high availability. The state that it keeps is that of `power`.
   * @default - not managed
   */
  readonly ha?: HaProps;
  /**
   * Resource pool.
   * @default - not managed
   */
  readonly pool?: string;
  /**
   * For selectors of other machines. They have no form in Proxmox.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Destroying is refused until this is false and applied.
   * @default - not managed
   */
  readonly protection?: boolean | IResolvable;
  /**
   * Fields whose change here may destroy the machine and create it again. A field is named and applied before it changes.
   * What somebody changes on the guest makes nothing anew.
   * @default - none: such a change is refused
   */
  readonly rebuildOn?: readonly RebuildField[];
  /**
   * What becomes of the machine when `image` is another one than it was made from. Keep: it stays and says so, only new
   * machines take the new image. Rebuild: it is destroyed and made anew, as `rebuildOn: ['image']` says too.
   * @default 'refuse'
   */
  readonly onImageChange?: 'refuse' | 'keep' | 'rebuild';
  /**
   * What happens at the first start.
   * @default - not managed
   */
  readonly cloudInit?: CloudInitProps;
  /**
   * What an apply waits for once it has made or started the machine. A time-out is a warning, and fails it where an
   * address is read.
   * @default 'nothing', and 'address' when the program reads an address that only the guest knows
   */
  readonly waitFor?: 'nothing' | 'agent' | 'address' | WaitForAddressProps;
  /**
   * Any other key of Proxmox, in its own words.
   * @default - not managed
   */
  readonly options?: Readonly<Record<string, string | number | boolean | IResolvable>>;
}
