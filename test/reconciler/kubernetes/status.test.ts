import { statusAfter, type Statement } from '../../../reconciler/kubernetes/status/merged-status';

const ready = (status: Statement['status'], message = 'is there'): Statement => ({
  ...{ type: 'Ready', status, reason: 'Running', message },
});
const first = statusAfter(
  undefined,
  { generation: 1, fields: { phase: 'Running' }, conditions: [ready('True')] },
  'T1',
);

test('what is said already is not written, whatever the time', () => {
  const wanted = {
    generation: 1,
    fields: { phase: 'Running', lastUpdated: 'T2' },
    conditions: [ready('True')],
  };
  expect(statusAfter({ ...first, lastUpdated: 'T1' }, wanted, 'T2')).toBeUndefined();
});

test('a condition keeps its time while its status stays', () => {
  const changed = statusAfter(first, { generation: 2, conditions: [ready('True', 'other')] }, 'T2');
  expect(changed).toMatchObject({
    ...{ phase: 'Running', observedGeneration: 2 },
    conditions: [{ message: 'other', lastTransitionTime: 'T1', observedGeneration: 2 }],
  });
  const fallen = statusAfter(first, { generation: 1, conditions: [ready('False')] }, 'T3');
  expect(fallen).toMatchObject({ conditions: [{ status: 'False', lastTransitionTime: 'T3' }] });
});

test('conditions that are not spoken of stay, and so do fields', () => {
  const before = { ...first, conditions: [{ type: 'Other', status: 'True', lastTransitionTime: 'T0' }] };
  const next = statusAfter(
    before,
    { generation: 1, changes: { phase: 'Error' }, conditions: [ready('False')] },
    'T2',
  );
  expect(next).toMatchObject({
    phase: 'Error',
    conditions: [{ type: 'Ready' }, { type: 'Other', lastTransitionTime: 'T0' }],
  });
});

test('what steers a terminal is written out', () => {
  const next = statusAfter(
    undefined,
    { generation: 1, fields: { name: 'a\u001b[2J' }, conditions: [] },
    'T1',
  );
  expect(next?.['name']).toBe('a\\u001b[2J');
});
