import type { Drive } from './drive';

const KiB = 1024;

/** The size of the TPM state's volume, whatever was asked for. */
export const TPM_STATE_SIZE = 4 * KiB * KiB;

/** The size of a cloud-init drive's volume. */
export const CLOUD_INIT_SIZE = 4 * KiB * KiB;

/** The size of the variables that are copied to an EFI disk, whatever was asked for. */
export function efiDiskSize(drive: Drive): number {
  return drive.options['efitype'] === '4m' ? 528 * KiB : 128 * KiB;
}
