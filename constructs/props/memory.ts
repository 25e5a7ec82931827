import type { IResolvable } from 'cdktf';
import type { Size } from '../values/size';

/** Memory. */
export interface MemoryProps {
  /**
   * Memory: at least 64Mi, in whole MiB.
   * @default - not managed
   */
  readonly memory?: Size | string | number;
  /**
   * Ballooning: off, on, or on down to this size.
   * @default - not managed
   */
  readonly balloon?: boolean | IResolvable | Size | string | number;
  /**
   * Weight when memory is ballooned automatically, 0 to 50000.
   * @default - not managed
   */
  readonly shares?: number;
  /**
   * Huge pages in MiB. Only root@pam may set it.
   * @default - not managed
   */
  readonly hugepages?: 'any' | '2' | '1024';
}
