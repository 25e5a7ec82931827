import { Image } from '../../../constructs';
import { entry, revision } from '../terraform/lab-stack';
import {
  all,
  drop,
  engine,
  GROWN,
  made,
  more,
  off,
  on,
  pathOf,
  put,
  release,
  removeByHand,
  said,
  takeOver,
  write,
  type Round,
} from './program';

const CHANGES: Round[] = [
  {
    name: 'everything is made; a clone goes to another node than its template is on',
    program: put({
      ...{ calm: off, live: off, never: more({ restart: 'never' }, on), guard: more({ protection: true }) },
      ...{ when: more({ restart: 'whenNeeded', shutdownTimeout: '1s' }, on), anew: made('ubuntu-22.04') },
      far: more({ node: 'pve3' }, made('ubuntu-22.04')),
    }),
    says: { calm: 'create', anew: 'create', guard: 'create', far: 'create' },
  },
  {
    name: 'live changes, of a machine that is off too; restarts, of one that may and one that may not; both at once',
    program: put({
      ...{ live: more({ description: 'new' }), calm: more({ tags: ['blue'] }) },
      never: more({ restart: 'never', memory: '1Gi', description: 'bigger' }, on),
      when: more({ restart: 'whenNeeded', shutdownTimeout: '1s', memory: '1Gi', tags: ['big'] }, on),
    }),
    says: {
      ...{ live: 'change', calm: 'change', never: 'waits', when: 'restart' },
      ...{ anew: 'unchanged', guard: 'unchanged', far: 'unchanged' },
    },
  },
  {
    name: 'the same again: a change that waits is at rest',
    says: { never: 'unchanged', when: 'unchanged', live: 'unchanged', anew: 'unchanged', far: 'unchanged' },
  },
  {
    name: 'one is refused: the plan fails, and nothing of it is done',
    program: put({ live: more({ image: Image.fromTemplate('debian-12') }) }, 'calm'),
    fails: true,
    says: { live: 'refused', calm: 'destroy' },
  },
  {
    name: 'one is made anew, as rebuildOn says; one leaves, one comes, one grows, gets a card and moves; one has a value that only the apply gives',
    program: now =>
      put(
        { anew: made('debian-12'), fresh: more({ node: 'pve2' }), live: more(GROWN) },
        'calm',
      )({
        ...now,
        late: true,
      }),
    says: {
      ...{ anew: 'rebuild', calm: 'destroy', fresh: 'create', live: 'change', late: 'unknown' },
      ...{ never: 'unchanged', guard: 'unchanged' },
    },
  },
];

let described = '';
const BY_HAND: Round[] = [
  {
    name: 'the value is known now; another description',
    program: now =>
      put({ live: more({ ...GROWN, description: 'ours' }), calm: off })({ ...now, late: false }),
    says: { late: 'destroy', live: 'change', calm: 'create' },
  },
  {
    name: 'memory is changed by hand; of one that runs it waits, and written back it needs no restart; one is deleted',
    before: all(write('live', { memory: '1024' }), write('when', { memory: '2048' }), removeByHand('fresh')),
    says: { live: 'change', when: 'change', fresh: 'create', calm: 'unchanged' },
  },
  {
    name: 'its mark is deleted by hand: its tag and its uuid prove it, and it is written again',
    before: async lab => {
      described = lab.guest('live')?.config['description'] ?? '';
      await write('live', { description: 'theirs' })(lab);
    },
    says: { live: 'change', calm: 'unchanged' },
  },
  {
    name: 'it is back; one is deleted by hand, and out of the code; one is switched off by hand; a guest is adopted',
    before: all(
      lab => write('live', { description: described })(lab),
      removeByHand('fresh'),
      lab => lab.byHand('POST', `${pathOf(lab, 'when')}/status/stop`, {}),
      lab =>
        lab.byHand('POST', '/nodes/pve2/qemu', { vmid: '700', name: 'byhand', memory: '512', cores: '1' }),
    ),
    program: put({ byhand: { vmid: 700, adopt: true, power: 'stopped' } }, 'fresh'),
    says: { live: 'unchanged', fresh: 'destroy', when: 'change', byhand: 'adopt', calm: 'unchanged' },
  },
];

const TERRAFORM: Round[] = [
  {
    name: '-target a revision: the rest is left out',
    program: put({
      live: more({ ...GROWN, description: 'targeted' }),
      calm: more({ description: 'not yet' }),
      two: off,
    }),
    args: [`-target=${revision('live')}`],
    says: { live: 'change', calm: 'unplanned', two: 'unplanned' },
  },
  { name: 'what was left out', says: { live: 'unchanged', calm: 'change', two: 'create' } },
  {
    name: '-refresh-only',
    program: put({ calm: more({ description: 'later' }) }),
    args: ['-refresh-only'],
    says: { calm: 'unplanned' },
  },
  {
    name: '-target the entry of one that leaves',
    program: drop('two', 'byhand'),
    args: [`-target=${entry('two')}`],
    says: { two: 'destroy', calm: 'unplanned', byhand: 'unplanned' },
  },
  {
    name: 'the other that leaves; -replace an entry',
    args: [`-replace=${entry('calm')}`],
    says: { byhand: 'destroy', calm: 'rebuild', live: 'unchanged' },
  },
  {
    name: '-replace the entry of one that is protected',
    args: [`-replace=${entry('guard')}`],
    says: { guard: 'refused' },
  },
  {
    name: '-replace a revision; a tainted one',
    before: engine('taint', revision('far')),
    args: [`-replace=${revision('live')}`],
    says: { live: 'unchanged', far: 'unchanged' },
  },
  {
    name: 'a tainted entry: Terraform runs no destroy, and the new entry may not have the guest',
    before: engine('taint', entry('calm')),
    says: { calm: 'refused', live: 'unchanged' },
  },
  { name: 'to adopt it is refused too', program: takeOver('calm'), says: { calm: 'refused' } },
  { name: 'released, it is taken over', before: release('calm'), says: { calm: 'adopt' } },
  {
    name: 'an entry is replaced by create_before_destroy',
    program: said({ readBy: 'calm' }),
    args: [`-replace=${entry('calm')}`],
    says: { calm: 'refused' },
  },
  { name: 'released again', before: release('calm'), says: { calm: 'adopt' } },
  {
    name: 'create_before_destroy has spread to one that changes',
    program: now => put({ live: more({ ...GROWN, description: 'spread' }) })({ ...now, readBy: 'live' }),
    says: { live: 'change' },
  },
  {
    name: 'the same for one that does not adopt: refused',
    args: [`-replace=${entry('live')}`],
    says: { live: 'refused' },
  },
  {
    name: 'taken over',
    before: release('live'),
    program: takeOver('live'),
    says: { live: 'adopt' },
  },
  {
    name: 'the state has lost another',
    program: ({ machines }) => ({ machines }),
    before: engine('state', 'rm', entry('when'), revision('when')),
    says: { when: 'refused' },
  },
  { name: 'taken over too', before: release('when'), program: takeOver('when'), says: { when: 'adopt' } },
];

const NAMES: Round[] = [
  {
    name: 'called otherwise, with formerIds',
    program: now =>
      put({ quiet: more({ formerIds: ['anew'], name: 'anew' }, made('debian-12')) }, 'anew')(now),
    says: { quiet: 'change' },
  },
  {
    name: 'called otherwise, without',
    program: put({ loud: more({ name: 'loud' }, made('debian-12')) }, 'quiet'),
    says: { loud: 'create', quiet: 'destroy' },
  },
  {
    name: 'another owner',
    program: said({ owner: 'another' }),
    fails: true,
    says: { live: 'refused', guard: 'refused' },
  },
  {
    name: 'another owner, and everything is destroyed',
    args: ['-destroy', `-target=${entry('loud')}`],
    says: { loud: 'destroy' },
  },
];

/** Every event that Terraform and people have for a machine, on one stack. */
export const ROUNDS: Round[] = [...CHANGES, ...BY_HAND, ...TERRAFORM, ...NAMES];
