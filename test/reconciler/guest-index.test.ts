import { ownerTag } from '../../reconciler/mark/owner-tag';
import { guestWithId, namedAs, taggedAs } from '../../reconciler/observe/tagged-guests';
import type { ListedGuest } from '../../reconciler/observed';
import { listed } from '../support/reconciler/observed';

const guest = (vmid: number, name: string, tags: string[] = []): ListedGuest => listed({ vmid, name, tags });
const tag = (id: string): string => ownerTag('team', id);
const guests = [
  guest(100, 'web', [tag('web'), tag('web')]),
  guest(101, 'web'),
  guest(102, 'db', [tag('old-web'), tag('web')]),
];
const vmids = (found: readonly ListedGuest[]): number[] => found.map(({ vmid }) => vmid);

test('a machine is found by the tag of each id that it has or had, once', () => {
  expect(vmids(taggedAs(guests, { owner: 'team', ids: ['old-web', 'web'] }))).toEqual([100, 102]);
  expect(taggedAs(guests, { owner: 'other', ids: ['web'] })).toEqual([]);
});

test('a guest is found by its name and by its id', () => {
  expect(vmids(namedAs(guests, 'web'))).toEqual([100, 101]);
  expect(guestWithId(guests, 102)?.name).toBe('db');
  expect(guestWithId(guests, undefined)).toBeUndefined();
});
