import type { MachineProps } from '../../../constructs';
import { entry, revision } from '../terraform/lab-stack';
import {
  all,
  drop,
  engine,
  more,
  off,
  on,
  put,
  release,
  removeByHand,
  said,
  takeOver,
  write,
  type Program,
  type Round,
} from './program';

const unprotect = (id: string) => write(id, { protection: '0' });
const only = (machines: Record<string, MachineProps>) => (): Program => ({ machines });

/** Everything by which machines leave: the code, the state, a destroy. */
export const LEAVES: Round[] = [
  {
    name: 'some to leave',
    program: put({
      ...{ guard: more({ protection: true }), loud: off, live: off, never: on, calm: off, far: off },
      seen: off,
    }),
    says: { guard: 'create', seen: 'create' },
  },
  {
    name: 'a protected one leaves beside another, others come, change and restart, and one is made anew',
    program: put(
      {
        ...{ one: off, two: off, live: more({ description: 'new' }) },
        never: more({ memory: '1Gi', restart: 'whenNeeded', shutdownTimeout: '1s' }, on),
      },
      'guard',
      'loud',
    ),
    args: [`-replace=${entry('calm')}`],
    says: {
      ...{ guard: 'refused', loud: 'destroy', one: 'unreached', two: 'unreached', live: 'unreached' },
      ...{ never: 'unreached', calm: 'destroy', far: 'unchanged' },
    },
  },
  {
    name: 'it is refused again, and nobody is reached',
    says: { guard: 'refused', one: 'unreached', calm: 'unreached', never: 'unreached', far: 'unchanged' },
  },
  {
    name: 'nobody protects it any more: it goes, and the others are reached',
    before: unprotect('guard'),
    says: { guard: 'destroy', one: 'create', calm: 'create', live: 'change', never: 'restart' },
  },
  {
    name: 'one that somebody has protected leaves, and another is made anew',
    before: all(write('one', { protection: '1' }), write('two', { protection: '1' })),
    program: put({ live: more({ description: 'newer' }) }, 'one'),
    args: [`-replace=${entry('two')}`],
    says: { one: 'refused', two: 'refused', live: 'unreached' },
  },
  {
    name: '-target a revision: Terraform takes all leaving entries of its registry with it',
    args: [`-target=${revision('live')}`],
    says: { one: 'refused', live: 'unreached', two: 'unplanned' },
  },
  {
    name: 'nobody protects them any more; one is only observed',
    before: all(unprotect('one'), unprotect('two')),
    program: put({ seen: more({ mode: 'observe', description: 'theirs' }) }),
    says: { one: 'destroy', two: 'unchanged', seen: 'observed' },
  },
  { name: 'and leaves', program: drop('seen'), says: { seen: 'destroy' } },
  {
    name: 'everything is destroyed, and one is protected',
    before: write('far', { protection: '1' }),
    args: ['-destroy'],
    says: { far: 'refused', live: 'destroy', never: 'destroy' },
  },
  { name: 'the rest of it, still protected', args: ['-destroy'], says: { far: 'refused' } },
  { name: 'the rest of it', before: unprotect('far'), args: ['-destroy'], says: { far: 'destroy' } },
  { name: 'two are made', program: only({ a: off, b: more({ protection: true }) }), says: { a: 'create' } },
  {
    name: 'the cluster leaves, RemovedCluster stands there; one is protected',
    program: now => ({ ...now, cluster: 'removed' }),
    says: { a: 'destroy', b: 'refused' },
  },
  { name: 'the other, too', before: unprotect('b'), says: { b: 'destroy' } },
  { name: 'two more', program: only({ c: off, d: off }), says: { c: 'create', d: 'create' } },
  {
    name: 'a tainted entry is destroyed: the guest stays',
    before: engine('taint', entry('c')),
    args: ['-destroy'],
    says: { c: 'forget', d: 'destroy' },
  },
  {
    name: 'one more',
    before: removeByHand('c'),
    program: only({ e: off, f: off }),
    says: { e: 'create', f: 'create' },
  },
  {
    name: '-destroy, and -target one',
    args: ['-destroy', `-target=${entry('f')}`],
    says: { f: 'destroy', e: 'unplanned' },
  },
  {
    name: 'the cluster leaves, and nothing stands there',
    program: said({ cluster: 'left' }),
    says: { e: 'forget' },
  },
  {
    name: 'the last ones',
    before: removeByHand('e'),
    program: only({ g: off, h: more({ protection: true }) }),
    says: { g: 'create' },
  },
  {
    name: 'the last ones leave: the registry is empty',
    program: only({}),
    says: { g: 'destroy', h: 'refused' },
  },
  { name: 'the very last', before: unprotect('h'), says: { h: 'destroy' } },
  {
    name: 'one on another cluster comes after one of this',
    before: async lab => {
      // with two clusters in a stack each has variables of its own
      const own = Object.entries(lab.access).flatMap(([name, value]) =>
        ['PVE_LAB_', 'PVE_OTHER_'].map(prefix => [name.replace('PVE_', prefix), value]),
      );
      Object.assign(lab.access, Object.fromEntries(own));
    },
    program: () => ({ machines: { live: off, far: off, two: off }, behind: { after: 'live', props: off } }),
    says: { behind: 'create', live: 'create' },
  },
  {
    name: 'one is refused as its entry is tainted: what comes after it is not reached, the rest is',
    before: engine('taint', entry('live')),
    program: now =>
      put({ two: more({ tags: ['reached'] }) })(
        said({ behind: { after: 'live', props: more({ tags: ['x'] }) } })(now),
      ),
    says: { live: 'refused', behind: 'unreached', two: 'change' },
  },
  {
    name: 'it is taken over, beside a protected one that leaves: the other cluster is not reached either',
    before: all(write('far', { protection: '1' }), release('live')),
    program: (now, lab) => drop('far')(takeOver('live')(now, lab)),
    says: { far: 'refused', live: 'unreached', behind: 'unreached', two: 'unchanged' },
  },
  {
    name: 'all are reached',
    before: unprotect('far'),
    program: ({ machines }) =>
      put({ far: off })({ machines, behind: { after: 'live', props: more({ tags: ['y'] }) } }),
    says: { live: 'adopt', behind: 'change', far: 'unchanged' },
  },
];
