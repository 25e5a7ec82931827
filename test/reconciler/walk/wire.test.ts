import {
  ApplyEnvironment,
  DestroyEnvironment,
  FactsQuery,
  ObserveQuery,
  PlanToken,
  SnapshotEnvironment,
} from '../../../spec';
import { schemaFields } from '../../support/spec/schema-fields';
import { Live, type Ran } from './live';
import { once } from '../../support/once';
import type { Proof } from './proof';
import { walk } from './walk';

type Texts = Record<string, string>;

const web = { id: 'web', image: { blank: true } };
const SPEC = JSON.stringify({ ...web, description: 'new' });
const OTHER = '{"name":"lab","limits":{"clonesPerStorage":2}}';

const there = Live.worlds([web]);

/** What is answered and written on clusters that are alike: the machine is there, and differs. */
const answers = (ask: (live: Live, given: Texts) => Promise<Ran>): ((...given: Texts[]) => Proof) => {
  const answer = once(async (given: Texts) =>
    Live.with(
      async live => {
        const { code, out, said } = await ask(live, given);
        const plain = [out, said].map(text =>
          text.replace(/"\w+\.token":"[^"]*"|\d+\.\d+ s|127\.0\.0\.1:\d+|[0-9a-f]{8}-[0-9a-f-]{27}/g, ''),
        );
        return { code, plain, writes: live.writes() };
      },
      { world: await there() },
    ),
  );
  return (...given) => ({ differ: () => Promise.all(given.map(answer)) });
};
const observes = answers((live, each) => live.ask('observe', { 'spec.web': SPEC, ...each }));
const tells = answers((live, each) => live.ask('facts', { machine: 'web', ...each }));
const applies = answers((live, each) =>
  live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, ...each }),
);
// without an entry, which alone would prove the machine
const destroys = answers((live, each) =>
  live.do('destroy', { PROXMOX_MACHINE: 'web', PROXMOX_ENTRY: '', ...each }),
);

const said = (ask: 'observe' | 'facts', query: Texts, naming: string): Proof => ({
  naming,
  refused: () => Live.with(async live => (await live.ask(ask, query)).said),
});
const nobody = (nodeName: string): string =>
  JSON.stringify({ machines: [], nodes: [{ nodeName, schedulable: false }] });
const NEW = JSON.stringify({ id: 'new', image: { blank: true } });

walk(
  'field of an observe query',
  [
    ...schemaFields(ObserveQuery),
    'spec.<id>',
    'entry.<id>',
    'reads.<id>',
    'snapshot.<id>.<name>',
    'anything else',
  ],
  {
    protocol: observes({}, { protocol: '2' }),
    cluster: observes({}, { cluster: OTHER }),
    owner: observes({}, { owner: 'other' }),
    fleet: observes({ 'spec.new': NEW, fleet: nobody('pve1') }, { 'spec.new': NEW, fleet: nobody('pve2') }),
    'spec.<id>': observes({}, { 'spec.web': JSON.stringify({ ...web, description: 'other' }) }),
    'entry.<id>': answers(async (live, each) => {
      await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, PROXMOX_ENTRY: 'mine' });
      return live.ask('observe', { 'spec.web': SPEC, ...each });
    })({ 'entry.web': 'mine' }, { 'entry.web': 'other' }),
    'reads.<id>': observes(
      { 'spec.web': JSON.stringify(web) },
      { 'spec.web': JSON.stringify(web), 'reads.web': 'ipAddresses' },
    ),
    'snapshot.<id>.<name>': observes({}, { 'snapshot.web.clean': '{"machine":"web","name":"clean"}' }),
    'anything else': said('observe', { flet: '{}' }, 'flet'),
  },
);

walk('field of a facts query', [...schemaFields(FactsQuery), 'anything else'], {
  protocol: tells({}, { protocol: '2' }),
  cluster: tells({}, { cluster: '{"name":"lab","endpoint":"https://127.0.0.1:1"}' }),
  owner: tells({}, { owner: 'other' }),
  machine: tells({}, { machine: 'db' }),
  revision: {
    test: 'constructs/outputs › facts are asked for after the revision, once for all outputs of a machine',
  },
  required: tells({}, { required: 'ipAddresses' }),
  images: tells({}, { images: '{}' }),
  existing: tells({}, { existing: '{"id":"db","vmid":100}' }),
  'anything else': said('facts', { machin: 'web' }, 'machin'),
});

const REBUILT = {
  PROXMOX_SPEC: JSON.stringify({ ...web, image: { template: 'ubuntu-22.04' }, onImageChange: 'rebuild' }),
  PROXMOX_TOKEN: token({ worst: 'rebuild' }),
};

walk('variable of an apply', schemaFields(ApplyEnvironment), {
  PROXMOX_PROTOCOL: applies({}, { PROXMOX_PROTOCOL: '2' }),
  PROXMOX_CLUSTER: applies({}, { PROXMOX_CLUSTER: OTHER }),
  PROXMOX_OWNER: applies({}, { PROXMOX_OWNER: 'other' }),
  PROXMOX_MACHINE: applies({}, { PROXMOX_MACHINE: 'db' }),
  PROXMOX_ENTRY: answers(async (live, each) => {
    await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, PROXMOX_ENTRY: 'mine' });
    return live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, ...each });
  })({ PROXMOX_ENTRY: 'mine' }, { PROXMOX_ENTRY: 'other' }),
  PROXMOX_SPEC: applies({}, { PROXMOX_SPEC: JSON.stringify({ ...web, cpu: { cores: 2 } }) }),
  PROXMOX_TOKEN: applies({}, { PROXMOX_TOKEN: token({ worst: 'none' }) }),
  PROXMOX_FLEET: applies(
    { PROXMOX_MACHINE: 'new', PROXMOX_SPEC: NEW, PROXMOX_FLEET: nobody('pve1') },
    { PROXMOX_MACHINE: 'new', PROXMOX_SPEC: NEW, PROXMOX_FLEET: nobody('pve2') },
  ),
  PROXMOX_FORMER: applies(
    { PROXMOX_MACHINE: 'new', PROXMOX_SPEC: NEW },
    { PROXMOX_MACHINE: 'new', PROXMOX_SPEC: NEW, PROXMOX_FORMER: '["web"]' },
  ),
  PROXMOX_READS: applies({}, { PROXMOX_READS: 'ipAddresses' }),
  PROXMOX_UNSHOWN: applies(REBUILT, { ...REBUILT, PROXMOX_UNSHOWN: 'unshown' }),
});

const CLEAN = '{"machine":"web","name":"clean","description":"one"}';
const takes = answers((live, each) =>
  live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SNAPSHOT: CLEAN, ...each }),
);
const takesAgain = (own: Texts, ...given: Texts[]): Proof =>
  answers(async (live, each) => {
    await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SNAPSHOT: CLEAN, ...own });
    return live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SNAPSHOT: CLEAN, ...own, ...each });
  })(...given);

const OF_NEW = { PROXMOX_MACHINE: 'new', PROXMOX_SNAPSHOT: '{"machine":"new","name":"clean"}' };

walk('variable of an apply of a snapshot', schemaFields(SnapshotEnvironment), {
  PROXMOX_PROTOCOL: takes({}, { PROXMOX_PROTOCOL: '2' }),
  PROXMOX_CLUSTER: takes({}, { PROXMOX_CLUSTER: '{"name":"lab","endpoint":"https://127.0.0.1:1"}' }),
  PROXMOX_OWNER: takes({}, { PROXMOX_OWNER: 'other' }),
  PROXMOX_MACHINE: takes({}, { PROXMOX_MACHINE: 'db' }),
  PROXMOX_ENTRY: takesAgain({ PROXMOX_ENTRY: 'mine' }, {}, { PROXMOX_ENTRY: 'other' }),
  PROXMOX_SNAPSHOT: takes({}, { PROXMOX_SNAPSHOT: '{"machine":"web","name":"other"}' }),
  PROXMOX_TOKEN: takesAgain({ PROXMOX_TOKEN: 'a' }, {}, { PROXMOX_TOKEN: 'b' }),
  PROXMOX_FORMER: takes(OF_NEW, { ...OF_NEW, PROXMOX_FORMER: '["web"]' }),
});

walk('variable of a destroy', schemaFields(DestroyEnvironment), {
  PROXMOX_SNAPSHOT: answers(async (live, each) => {
    await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SNAPSHOT: CLEAN });
    return live.do('destroy', { PROXMOX_MACHINE: 'web', ...each });
  })({}, { PROXMOX_SNAPSHOT: 'clean' }),
  PROXMOX_PROTOCOL: destroys({}, { PROXMOX_PROTOCOL: '2' }),
  PROXMOX_CLUSTER: destroys({}, { PROXMOX_CLUSTER: '{"name":"lab","endpoint":"http://x"}' }),
  PROXMOX_OWNER: destroys({}, { PROXMOX_OWNER: 'other' }),
  PROXMOX_MACHINE: destroys({}, { PROXMOX_MACHINE: 'db' }),
  PROXMOX_ENTRY: answers(async (live, each) => {
    await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, PROXMOX_ENTRY: 'mine' });
    return live.do('destroy', { PROXMOX_MACHINE: 'web', ...each });
  })({ PROXMOX_ENTRY: 'mine' }, { PROXMOX_ENTRY: 'other' }),
  PROXMOX_MAY_BE_RENAMED: answers(async (live, each) => {
    await live.do('apply', { PROXMOX_MACHINE: 'web', PROXMOX_SPEC: SPEC, PROXMOX_ENTRY: 'mine' });
    return live.do('destroy', { PROXMOX_MACHINE: 'old', PROXMOX_ENTRY: 'mine', ...each });
  })({}, { PROXMOX_MAY_BE_RENAMED: 'yes' }),
});

const creates = (...tokens: object[]): Proof =>
  applies(
    ...tokens.map(fields => ({
      ...{ PROXMOX_MACHINE: 'new', PROXMOX_SPEC: NEW },
      PROXMOX_TOKEN: token(fields),
    })),
  );
walk('field of a plan token', schemaFields(PlanToken), {
  adopts: {
    test: 'reconciler/token › a token tells of a machine that %s whose guest it is',
  },
  losses: {
    test: 'runs/lines/observe-and-apply › a rebuild takes no snapshot that came after its plan: it is refused, and writes nothing',
  },
  generation: {
    test: 'runs/disks/restored-since-plan › a token of a plan that loses nothing says no generation, and one of an earlier version is still read',
  },
  n: { differ: () => [{ n: 'a' }, { n: 'b' }].map(token) },
  node: creates({ node: 'pve2' }, { node: 'pve3' }),
  vmid: creates({ node: 'pve2', vmid: 10_005 }, { node: 'pve2', vmid: 10_006 }),
  worst: applies({ PROXMOX_TOKEN: token({ worst: 'live' }) }, { PROXMOX_TOKEN: token({ worst: 'none' }) }),
  found: {
    test: 'reconciler/token › a token tells what was found, its pool and the source of what is absent',
  },
  pool: {
    test: 'reconciler/token › a token tells what was found, its pool and the source of what is absent',
  },
  'source.node': {
    test: 'reconciler/token › a token tells what was found, its pool and the source of what is absent',
  },
  'source.vmid': {
    test: 'reconciler/token › a token tells what was found, its pool and the source of what is absent',
  },
});

function token(fields: object): string {
  return Buffer.from(JSON.stringify({ n: 'nonce', ...fields })).toString('base64url');
}
