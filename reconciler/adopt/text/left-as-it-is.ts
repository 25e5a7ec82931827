import { commentText } from './literal';

/** A comment that names what the guest has and its program does not say. */
export function leftAsItIs(mark: string, unmanaged: readonly string[]): string[] {
  if (unmanaged.length === 0) return [];
  return [`${mark} Not managed, and left as it is: ${commentText(unmanaged.join(', '))}.`];
}
