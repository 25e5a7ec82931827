import type { Newcomer } from '../../../reconciler/placement/layout';
import { schedule } from '../../../reconciler/placement/schedule';
import { GiB, node, site, wanted, type Fields } from '../../support/reconciler/placement-site';
import { nodesOf } from './fleets';

const nodes = ['pve1', 'pve2', 'pve3'];
const newcomer = (id: string, fields: Fields = {}): Newcomer => ({
  machine: wanted({ memory: GiB, ...fields, id }),
  sources: { guests: [] },
  among: nodes,
});
const apart: Fields = {
  labels: { app: 'db' },
  placement: { antiAffinity: [{ key: 'app', operator: 'In', values: ['db'] }] },
};
const there = (said: { nodeName: string; maxVMs: number }[] = []) =>
  site(
    nodes.map(name => node(name)),
    { nodes: said },
  );
const db = (number: number, fields: Fields = {}) => newcomer(`db-${number}`, { ...apart, ...fields });

it('takes a machine from the one node where another can go', () => {
  const facts = there([{ nodeName: 'pve1', maxVMs: 1 }]);
  const free = newcomer('any');
  expect(nodesOf(schedule([free], facts))).toEqual({ any: 'pve1' });
  const places = nodesOf(schedule([free, db(1), db(2), db(3)], facts));
  expect(Object.values(places)).not.toContain(undefined);
  expect(['db-1', 'db-2', 'db-3'].map(id => places[id]).sort()).toEqual(nodes);
  expect(places['any']).not.toBe('pve1');
});

it('moves several machines, each for the next', () => {
  const only = (...among: string[]): Fields => ({ placement: { nodes: among } });
  const facts = there(nodes.map(nodeName => ({ nodeName, maxVMs: 1 })));
  const machines = [
    newcomer('a', only('pve1', 'pve2')),
    newcomer('b', only('pve2', 'pve3')),
    newcomer('c', only('pve1')),
  ];
  expect(nodesOf(schedule(machines, facts))).toEqual({ a: 'pve2', b: 'pve3', c: 'pve1' });
});

const detailOf = (id: string, machines: Newcomer[], facts = there(), tries?: number): string => {
  const choice = schedule(machines, facts, tries).get(id);
  return choice && 'why' in choice ? choice.detail : `placed on ${choice?.node}`;
};

it('says that no other places help, where that is so', () => {
  const four = [1, 2, 3, 4].map(number => db(number));
  expect(detailOf('db-4', four)).toBe(
    "no node can take it (pve1: kept apart from 'db-1' by antiAffinity; pve2: kept apart from 'db-2' by antiAffinity; pve3: kept apart from 'db-3' by antiAffinity). Other places for the other new machines do not help.",
  );
});

it('says that it gave up where it did', () => {
  const facts = there([{ nodeName: 'pve1', maxVMs: 1 }]);
  const machines = [newcomer('any'), db(1), db(2), db(3)];
  expect(detailOf('db-3', machines, facts, 1)).toContain(
    'Whether other places for the other new machines would help is not known: the search gave up after 1 tries.',
  );
});

it('tells a machine that fits nowhere the reasons that hold without the other new ones', () => {
  const facts = there(nodes.map(nodeName => ({ nodeName, maxVMs: 1 })));
  const machines = [
    newcomer('a'),
    newcomer('b'),
    newcomer('c'),
    newcomer('wide', { networks: [{ name: 'dmz' }] }),
  ];
  expect(detailOf('wide', machines, facts)).toContain("pve1, pve2, pve3: bridge 'vmbr1' not found");
});

it.each([
  ['guests', { placement: { maxVMsPerNode: 1 } }, "it has 1 guest, and 'a' there allows 1"],
  ['free memory', { placement: { minFreeMemory: '14Gi' } }, 'memory: 0 to give'],
])('keeps what a machine says about %s when another comes to its node', (_, fields: Fields, reason) => {
  const machines = [newcomer('a', fields), newcomer('b', { placement: { nodes: ['pve1'] } })];
  const facts = site([node('pve1')]);
  expect(
    detailOf(
      'b',
      machines.map(one => ({ ...one, among: ['pve1'] })),
      facts,
    ),
  ).toContain(reason);
});

it('leaves no trace of machines that it could make no room for', () => {
  const facts = there();
  const before = nodesOf(schedule([db(1), db(2), db(3)], facts));
  expect(nodesOf(schedule([db(1), db(2), db(3), db(4)], facts))).toEqual({ ...before, 'db-4': undefined });
});

describe('a group that is kept together', () => {
  const together: Fields = {
    labels: { app: 'db' },
    placement: { affinity: [{ key: 'app', operator: 'In', values: ['db'] }] },
  };
  const one = (number: number, fields: Fields = {}) => newcomer(`db-${number}`, { ...together, ...fields });

  it('goes where its first machine goes', () => {
    const places = nodesOf(schedule([newcomer('a'), one(1), one(2), one(3)], there()));
    expect(places).toEqual({ a: 'pve1', 'db-1': 'pve2', 'db-2': 'pve2', 'db-3': 'pve2' });
  });

  it('goes elsewhere as a whole, where its first choice has no room for all', () => {
    const facts = there([
      { nodeName: 'pve1', maxVMs: 2 },
      { nodeName: 'pve2', maxVMs: 1 },
    ]);
    expect(nodesOf(schedule([one(1), one(2), one(3)], facts))).toEqual({
      ...{ 'db-1': 'pve3', 'db-2': 'pve3', 'db-3': 'pve3' },
    });
  });

  it('makes others leave its node', () => {
    const facts = there(nodes.map(nodeName => ({ nodeName, maxVMs: 2 })));
    const places = nodesOf(
      schedule([newcomer('a'), newcomer('b'), newcomer('c'), newcomer('d'), one(1), one(2)], facts),
    );
    expect(places['db-1']).toBe(places['db-2']);
    expect(Object.values(places)).not.toContain(undefined);
  });

  it('draws a machine without rules of its own, and one that is there draws the rest', () => {
    const web = newcomer('web', { placement: { affinity: together.placement!.affinity! } });
    const plain = (number: number) => newcomer(`db-${number}`, { labels: { app: 'db' } });
    expect(Object.values(nodesOf(schedule([plain(1), plain(2), web], there())))).toEqual([
      ...['pve1', 'pve1', 'pve1'],
    ]);
    const facts = site(
      nodes.map(name => node(name)),
      { residents: [{ machine: web.machine, node: 'pve3', planned: false, guest: undefined }] },
    );
    expect(nodesOf(schedule([plain(1)], facts))).toEqual({ 'db-1': 'pve3' });
  });

  it('is told with the node of the group, the reason and what to do', () => {
    const facts = there(nodes.map(nodeName => ({ nodeName, maxVMs: 2 })));
    const choice = schedule([one(1), one(2), one(3)], facts).get('db-3');
    expect(choice).toMatchObject({
      detail:
        "no node can take it (pve1: it has 2 guests, and 2 are allowed; pve2, pve3: kept together with 'db-1', on pve1, by affinity). Other places for the other new machines do not help.",
      remedy:
        'Make room on pve1, or set the rule of affinity to mode "soft". Machines that are there are never moved for it.',
    });
  });

  it('refuses a machine that is pinned elsewhere, and names both nodes', () => {
    const stays = { ...one(2, { node: 'pve2', pin: true }), among: ['pve2'] };
    expect(nodesOf(schedule([one(1), stays], there()))).toEqual({ 'db-1': 'pve2', 'db-2': 'pve2' });
    const first = { ...one(1), among: ['pve1'] };
    expect(detailOf('db-2', [first, stays])).toContain(
      "pve2: kept together with 'db-1', on pve1, by affinity",
    );
  });
});
