import type { World } from '../../../simulator/world';
import type { Acted } from './acted';
import { markOf, type Item } from './standing';

/** What one run took and did not say, or said and did not take, or may never take. */
export function faultsOf({ gone, stood, names, isDone, hasFlag, ...acted }: Acted): string[] {
  const keys = new Set([...gone.map(({ key }) => key), ...acted.takenByOthers]);
  return [
    ...acted.shared,
    ...gone.flatMap(item => [...forbidden(item, hasFlag), ...unnamed(item, names)]),
    ...(isDone
      ? Object.entries(names).flatMap(([where, named]) => falseAlarms(where, named, keys, stood))
      : []),
  ];
}

function forbidden({ key, vmid, isForeign, isKept, hasWord }: Item, hasFlag: boolean): string[] {
  if (isForeign) return [`${key} of guest ${vmid} was not ours, and is gone`];
  return isKept && !hasWord && !hasFlag ? [`${key} was kept, and is gone without the word`] : [];
}

function unnamed({ key, isTechnical, memoryOf }: Item, names: Acted['names']): string[] {
  if (isTechnical) return [];
  const isNamed = (named: ReadonlySet<string>): boolean =>
    named.has(key) || (memoryOf !== undefined && named.has(`snapshot ${memoryOf}`));
  const silent = Object.entries(names).filter(([, named]) => !isNamed(named));
  return silent.length === 0
    ? []
    : [`${key} is gone, unnamed in: ${silent.map(([where]) => where).join(', ')}`];
}

function falseAlarms(
  where: string,
  named: ReadonlySet<string>,
  gone: ReadonlySet<string>,
  stood: Acted['stood'],
): string[] {
  const wrong = [...named].filter(key => !gone.has(key) && stood.get(key)?.isTechnical !== true);
  return wrong.map(key =>
    stood.has(key)
      ? `${where} names ${key}, and it is still there`
      : `${where} names ${key}, which was not there`,
  );
}

/** Guests that a Terraform state held and that stand without their entry now. */
export function marksLost(entries: readonly number[], { guests }: World): string[] {
  return entries
    .filter(vmid => guests[vmid] !== undefined && markOf(guests[vmid])?.e === undefined)
    .map(vmid => `guest ${vmid} has lost its Terraform entry`);
}
