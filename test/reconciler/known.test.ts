import type { Action, MachinePlan } from '../../reconciler/action';
import { emptyPlan } from '../../reconciler/action';
import type { ObservedMachine } from '../../reconciler/observed';
import { foundBy, knownBy } from '../../reconciler/plan/known';
import { freshToken, tokenOf } from '../../reconciler/plan/token';
import { mark, present } from '../support/reconciler/observed';

const absent: ObservedMachine = { kind: 'absent' };
const doing = (...actions: Action[]): MachinePlan => ({ ...emptyPlan('web'), actions });
const make = { node: 'pve1', vmid: 10_000, uuid: 'u', params: {} };
const clone: Action = { kind: 'clone', source: { node: 'pve2', vmid: 9000 }, ...make };
const place = { node: 'pve1', vmid: 10_000 };

test.each<[string, MachinePlan, ObservedMachine, object | undefined]>([
  ['runs', doing(), present({}, { power: 'running' }), { found: 'running', pool: undefined }],
  [
    'is off, in a pool',
    doing(),
    present({}, { power: 'stopped', pool: 'prod' }),
    { found: 'stopped', pool: 'prod' },
  ],
  ['may run', doing(), present({}, { power: 'unknown' }), undefined],
  ['is absent', doing({ kind: 'create', ...make }), absent, { found: 'absent', source: undefined }],
  ['is to be cloned', doing(clone), absent, { found: 'absent', source: { node: 'pve2', vmid: 9000 } }],
  [
    'is to be cloned and moved',
    doing(clone, { kind: 'migrate', to: 'pve3', online: false }),
    absent,
    undefined,
  ],
  ['may be at work', { ...doing(clone), waitsFor: ['qmclone of 9000'] }, absent, undefined],
  ['is only partly there', doing(), present({}, { mark: mark({ b: 1 }) }), undefined],
])('a token tells of a machine that %s what apply may go by', (_, plan, have, told) => {
  const token = freshToken({ ...place, ...foundBy(plan, have) });
  expect(knownBy(tokenOf(token))).toEqual(told && { ...place, ...told });
});

test('a token tells what was found, its pool and the source of what is absent', () => {
  const source = { node: 'pve2', vmid: 9000 };
  expect(knownBy({ ...place, found: 'absent', source })).toEqual({ ...place, found: 'absent', source });
  expect(knownBy({ ...place, found: 'running', pool: 'prod' })).toMatchObject({ pool: 'prod' });
  expect(knownBy({ ...place, worst: 'create' })).toBeUndefined();
});
