import type { Turns } from './turns';

/** Does the work for each item, so many at once. */
export async function inParallel<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const left = [...items];
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}

/** 0, 1, … up to `count`, without it. */
export const numbersBelow = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Does the work for 0, 1, …, or for some of them, until it says of one that it was the last; so many at once. */
export async function eachUntilDone(
  limit: number,
  work: (k: number) => Promise<boolean>,
  { first, step }: Turns = { first: 0, step: 1 },
): Promise<void> {
  let next = first - step;
  let done = false;
  const worker = async (): Promise<void> => {
    while (!done) done = (await work((next += step))) || done;
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
