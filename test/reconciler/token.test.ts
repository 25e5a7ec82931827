import type { Action, MachinePlan } from '../../reconciler/action';
import { emptyPlan } from '../../reconciler/action';
import type { ObservedMachine } from '../../reconciler/observed';
import {
  factsForToken,
  factsInToken,
  freshToken,
  tokenOf,
  whoseForToken,
} from '../../reconciler/plan/shown/token';
import { mark, present } from '../support/reconciler/observed';

const absent: ObservedMachine = { kind: 'absent' };
const doing = (...actions: Action[]): MachinePlan => ({ ...emptyPlan('web'), actions });
const make = { node: 'pve1', vmid: 10_000, params: {} };
const clone: Action = { kind: 'clone', source: { node: 'pve2', vmid: 9000 }, ...make };
const adoptable = (current: Record<string, string>): ObservedMachine => {
  const have = present(current);
  return have.kind === 'present' ? { kind: 'adoptable', guest: { ...have.guest, mark: undefined } } : have;
};
const lost = (current: Record<string, string>): ObservedMachine => {
  const have = present(current, { power: 'unknown' });
  return have.kind === 'present' ? { ...have, lostMark: 'gone' } : have;
};
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
  ['is to be cloned and moved', doing(clone, { kind: 'migrate', to: 'pve3' }), absent, undefined],
  ['may be at work', { ...doing(clone), waitsFor: ['qmclone of 9000'] }, absent, undefined],
  ['is only partly there', doing(), present({}, { mark: mark({ isUnfinished: true }) }), undefined],
])('a token tells of a machine that %s what apply may go by', (_, plan, have, told) => {
  const token = freshToken({ ...place, ...factsForToken(plan, have) });
  expect(factsInToken(tokenOf(token), {}, [])).toEqual(told && { ...place, ...told });
});

test('a token tells what was found, its pool and the source of what is absent', () => {
  const source = { node: 'pve2', vmid: 9000 };
  const cloned = { ...place, found: 'absent' as const, source };
  expect(factsInToken(cloned, {}, [])).toEqual(cloned);
  expect(factsInToken({ ...place, found: 'running', pool: 'prod' }, {}, [])).toMatchObject({ pool: 'prod' });
  expect(factsInToken({ ...place, worst: 'create' }, {}, [])).toBeUndefined();
});

test.each<[string, MachinePlan, ObservedMachine, object]>([
  ['may run', doing(), present({}, { power: 'unknown' }), { found: 'ours' }],
  ['is ours and waits', { ...doing(), waitsFor: ['qmmove'] }, present({}), { found: 'ours' }],
  ['stands still', { ...doing(), standsStill: 'a disk was taken off.' }, present({}), { found: 'ours' }],
  ['is to be adopted', doing(), adoptable({ smbios1: 'uuid=AB-1,family=eA==' }), { adopts: 'ab-1' }],
  ['lost its mark', doing(), lost({ smbios1: 'uuid=AB-1' }), { found: 'ours', adopts: 'ab-1' }],
  ['is to be adopted without a uuid', doing(), adoptable({ smbios1: 'family=eA==' }), {}],
])('a token tells of a machine that %s whose guest it is', (_, plan, have, told) => {
  expect(factsForToken(plan, have)).toEqual(told);
  expect(whoseForToken(have)).toEqual(told);
  expect(tokenOf(freshToken({ ...told, worst: 'live' }))).toMatchObject(told);
});

type Told = Parameters<typeof factsInToken>;

test.each<[string, Told[1], Told[2], { absent: boolean; running: boolean }]>([
  ['a machine that is brought to its spec', { mode: 'reconcile' }, [], { absent: true, running: true }],
  ['one that is only observed', { mode: 'observe' }, [], { absent: false, running: false }],
  ['one that says something of its place', { placement: {} }, [], { absent: false, running: true }],
  ['one of a fleet whose nodes have rules', {}, [{ nodeName: 'pve1' }], { absent: false, running: true }],
])('what a token tells is enough for %s', (_, spec, nodes, enough) => {
  const isEnough = (found: 'absent' | 'running'): boolean =>
    factsInToken({ ...place, found }, spec, nodes) !== undefined;
  expect({ absent: isEnough('absent'), running: isEnough('running') }).toEqual(enough);
});
