import { isKnowable, isSameProxmox } from '../../../reconciler/run/proxmox-identity';

test.each<[bound: string, now: string, isSame: boolean, why: string]>([
  ['lab AA', 'lab AA', true, 'nothing changed'],
  ['pve1 AA', 'lab AA', true, 'a single node made a cluster, and keeps its authority'],
  ['lab AA', 'lab BB', false, 'another one of the same name'],
  ['lab AA', 'other BB', false, 'another one'],
  ['lab AA', 'lab -', false, 'what was known is not told any more'],
  ['lab -', 'lab AA', true, 'more is told than before'],
  ['lab -', 'other -', false, 'another name, and nothing else is told'],
  ['- -', '- -', false, 'nothing tells'],
  ['by hand', 'lab AA', false, 'an annotation that somebody wrote'],
])('bound to "%s", and "%s" answers: %s, %s', (bound, now, isSame) => {
  expect(isSameProxmox(bound, now)).toBe(isSame);
});

test('what tells nothing of itself cannot be bound to', () => {
  expect([isKnowable('- -'), isKnowable('lab -'), isKnowable('- AA')]).toEqual([false, true, true]);
});
