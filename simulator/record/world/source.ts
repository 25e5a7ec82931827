import type { Disguise } from '../disguise/disguise';
import type { Reader } from '../server/reader';

/** What every part of a recording works with. */
export interface Source {
  reader: Reader;
  disguise: Disguise;
  /** Said at the end: what the file holds otherwise than the cluster. */
  remark(text: string): void;
}

/** A part of an address, as it goes into a path. */
export const segment = (name: string | number): string => encodeURIComponent(String(name));

/** Does the work for each, a few at a time, and keeps their order. */
export async function forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      const item = items[index];
      if (item !== undefined) results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}
