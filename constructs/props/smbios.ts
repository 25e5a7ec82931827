/** What the guest reads about its hardware, one line of text each. */
export interface SmbiosProps {
  /**
   * Manufacturer.
   * @default - not managed
   */
  readonly manufacturer?: string;
  /**
   * Product.
   * @default - not managed
   */
  readonly product?: string;
  /**
   * Version.
   * @default - not managed
   */
  readonly version?: string;
  /**
   * Serial number.
   * @default - not managed
   */
  readonly serial?: string;
  /**
   * SKU.
   * @default - not managed
   */
  readonly sku?: string;
  /**
   * Family.
   * @default - not managed
   */
  readonly family?: string;
}
