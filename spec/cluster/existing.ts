import type * as z from 'zod';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { wholeNumber } from '../fields/wants';
import type { Finding } from '../reading/problem';
import { MachineId, Tag, VmName } from '../values/names';

/** A guest that is there and stays somebody else's, or several by a tag: only read. All that is said must hold for it. */
export const ExistingSpec = strictObject(() => ({
  id: MachineId.meta({ description: 'What its outputs are called by.' }),
  vmid: optional(wholeNumber(100, 999_999_999), "The guest's number."),
  name: optional(VmName, "The guest's name in Proxmox. Two guests of one name are an error."),
  tag: optional(Tag, 'A tag that this one guest carries.'),
  allWithTag: optional(Tag, 'All guests that carry this tag, in place of one: a list, by their numbers.'),
  atLeast: optional(
    wholeNumber(0, 10_000),
    'With allWithTag: fewer guests than this are an error. Without it the list may be empty.',
  ),
}));
export type ExistingSpec = z.infer<typeof ExistingSpec>;

const SAYS_WHICH = ['vmid', 'name', 'tag'] as const;

/** What does not say which guest is meant. */
export function* existingFindings(existing: ExistingSpec): Iterable<Finding> {
  const { allWithTag, atLeast } = existing;
  const given = SAYS_WHICH.filter(field => existing[field] !== undefined);
  if (allWithTag !== undefined) {
    for (const field of given)
      yield { path: [field], reason: 'means nothing with allWithTag', remedy: 'Remove one of both.' };
    return;
  }
  if (given.length === 0)
    yield {
      path: [],
      kind: 'missing',
      reason: 'does not say which guest is meant',
      allowed: 'vmid, name, tag, or allWithTag for several',
      remedy: 'Give one of them, such as vmid: 100.',
    };
  if (atLeast !== undefined)
    yield {
      path: ['atLeast'],
      reason: 'means nothing without allWithTag: one guest must be there',
      remedy: 'Remove it, or give allWithTag in place of tag.',
    };
}

/** Two that are called the same. */
export function* existingTwice(all: readonly ExistingSpec[]): Iterable<Finding> {
  for (const [i, { id }] of all.entries())
    if (all.findIndex(other => other.id === id) < i)
      yield {
        path: ['existing', i, 'id'],
        given: id,
        reason: 'is used twice',
        remedy: 'Give each guest that is read an id of its own.',
      };
}
