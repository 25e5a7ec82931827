import type { Refusal } from '../../../reconciler/action';
import { RefusedError } from '../../../reconciler/errors';
import { failureText } from '../../../reconciler/report/failure-text';

const taken: Refusal = {
  machine: 'web',
  why: 'vmid-taken',
  detail: 'It is taken.',
  remedy: 'Give another.',
  changed: 'nothing',
};
const denied: Refusal = {
  ...taken,
  why: 'privileges',
  detail: 'A privilege is missing.',
  remedy: 'Let an administrator run:\npveum acl modify /\n',
};

test('what was changed is said once for a machine, after its last refusal', () => {
  expect(failureText(new RefusedError([taken, denied, { ...taken, machine: 'db' }]))).toBe(
    [
      'web: REFUSED: It is taken. Give another.',
      'web: REFUSED: A privilege is missing. Let an administrator run:',
      'pveum acl modify /',
      'Nothing was changed.',
      'db: REFUSED: It is taken. Give another. Nothing was changed.',
    ].join('\n'),
  );
});

test.each([
  ['before', 'What this run did before stays; nothing else was changed.'],
  ['maybe-stopped', 'It may have been stopped already; nothing else was changed.'],
] as const)('a run that had begun says what it changed: %s', (changed, says) => {
  const { changed: _, ...untold } = taken;
  const refused = new RefusedError([untold]).after(changed);
  expect(failureText(refused)).toBe(`web: REFUSED: It is taken. Give another. ${says}`);
  expect(refused.message).toBe(`web: It is taken. Give another. ${says}`);
});
