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

/** What cloud-init does at the first start of a guest. */
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
}
