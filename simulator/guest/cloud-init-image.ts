import type { Guest } from '../world';

/** Writes the cloud-init image anew: it holds the present values, and nothing differs from it any more. */
export function generateCloudInit(guest: Guest): void {
  guest.cloudInitImage = { ...guest.config };
  delete guest.cloudInitChanges;
}
