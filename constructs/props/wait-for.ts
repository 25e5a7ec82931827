/** Which address of a guest counts. */
export interface AddressFilterProps {
  /**
   * Only addresses of this family.
   * @default - either
   */
  readonly family?: 'ipv4' | 'ipv6';
  /**
   * Only this interface, by its name in the guest.
   * @default - any
   */
  readonly interface?: string;
  /**
   * Only addresses in this subnet.
   * @default - any
   */
  readonly cidr?: string;
}

/** Creating waits for an address that fits. */
export interface WaitForAddressProps {
  /** Which address. */
  readonly address: AddressFilterProps;
}
