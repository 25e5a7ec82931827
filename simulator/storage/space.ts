import { fail } from '../failure';
import type { Sim } from '../cluster/sim';
import type { Storage } from '../world';
import { spaceOf } from './on-node';
import { fullText } from './tool-texts';

/** Fails as the storage's own tool does when so many bytes more do not fit. */
export function checkSpace(sim: Sim, node: string, storage: Storage, name: string, bytes: number): void {
  const { avail } = spaceOf(sim, node, storage);
  if (bytes > avail || avail === 0) fail(fullText(storage, name, bytes, avail));
}

/** Whether so many bytes more fit. */
export function hasSpace(sim: Sim, node: string, storage: Storage, bytes: number): boolean {
  return bytes <= spaceOf(sim, node, storage).avail;
}
