/** Throttling of a disk: MB/s and operations a second. A total excludes its two halves. */
export interface DiskLimitsProps {
  /**
   * MB/s, read and write together.
   * @default - not managed
   */
  readonly mbps?: number;
  /**
   * MB/s read.
   * @default - not managed
   */
  readonly mbpsRead?: number;
  /**
   * MB/s written.
   * @default - not managed
   */
  readonly mbpsWrite?: number;
  /**
   * Burst of mbps.
   * @default - not managed
   */
  readonly mbpsMax?: number;
  /**
   * Burst of mbpsRead.
   * @default - not managed
   */
  readonly mbpsReadMax?: number;
  /**
   * Burst of mbpsWrite.
   * @default - not managed
   */
  readonly mbpsWriteMax?: number;
  /**
   * Operations a second, read and write together.
   * @default - not managed
   */
  readonly iops?: number;
  /**
   * Reads a second.
   * @default - not managed
   */
  readonly iopsRead?: number;
  /**
   * Writes a second.
   * @default - not managed
   */
  readonly iopsWrite?: number;
  /**
   * Burst of iops.
   * @default - not managed
   */
  readonly iopsMax?: number;
  /**
   * Burst of iopsRead.
   * @default - not managed
   */
  readonly iopsReadMax?: number;
  /**
   * Burst of iopsWrite.
   * @default - not managed
   */
  readonly iopsWriteMax?: number;
}
