import type { IResolvable } from 'cdktf';
import type { Reference } from '../values/reference';

/** Name resolution in the guest. */
export interface DnsProps {
  /**
   * Name servers.
   * @default - not managed
   */
  readonly servers?: readonly string[];
  /**
   * Search domains.
   * @default - not managed
   */
  readonly search?: readonly string[];
}

/**
 * What cloud-init does at the first start of a guest. Plain fields go onto Proxmox's own cloud-init drive. Any data makes
 * an ISO of ours that holds the plain fields too, and new data is a new instance to cloud-init.
 */
export interface CloudInitProps {
  /**
   * User to make.
   * @default - not managed
   */
  readonly user?: string;
  /**
   * Where the user's password is read from when it is sent.
   * @default - no password is sent
   */
  readonly passwordFrom?: Reference;
  /**
   * Raise it to send the password again: the password itself is never compared.
   * @default 1
   */
  readonly passwordVersion?: number;
  /**
   * Public SSH keys, one line each.
   * @default - not managed
   */
  readonly sshKeys?: readonly string[];
  /**
   * Name resolution.
   * @default - not managed
   */
  readonly dns?: DnsProps;
  /**
   * Upgrade packages at the first start.
   * @default - not managed
   */
  readonly upgradePackages?: boolean | IResolvable;
  /**
   * Wait until cloud-init says that it is done, whenever an apply has started the machine. It needs the guest agent. What
   * went wrong in the guest is a warning.
   * @default false
   */
  readonly waitForCompletion?: boolean | IResolvable;
  /**
   * What cloud-init does: text whose first line says what it is, or an object that becomes a cloud-config.
   * @default - none
   */
  readonly userData?: string | Readonly<Record<string, unknown>>;
  /**
   * Where `userData` is read from, when Terraform plans and applies. It never stands in a state.
   * @default - none
   */
  readonly userDataFrom?: Reference;
  /**
   * Vendor data: what cloud-init does where the user data says nothing else.
   * @default - none
   */
  readonly vendorData?: string | Readonly<Record<string, unknown>>;
  /**
   * Where `vendorData` is read from, when Terraform plans and applies. It never stands in a state.
   * @default - none
   */
  readonly vendorDataFrom?: Reference;
  /**
   * Meta data: each key of it wins over ours.
   * @default - none
   */
  readonly metaData?: string | Readonly<Record<string, unknown>>;
  /**
   * Where `metaData` is read from, when Terraform plans and applies. It never stands in a state.
   * @default - none
   */
  readonly metaDataFrom?: Reference;
  /**
   * Network configuration, in place of the one that `networks` make.
   * @default - none
   */
  readonly networkData?: string | Readonly<Record<string, unknown>>;
  /**
   * Where `networkData` is read from, when Terraform plans and applies. It never stands in a state.
   * @default - none
   */
  readonly networkDataFrom?: Reference;
  /**
   * Storage for the ISO of the data. It must take ISO files.
   * @default - the one in use, else a shared one, else one of the node
   */
  readonly storage?: string;
}
