import * as fc from 'fast-check';
import type { Newcomer } from '../../../reconciler/placement/layout';
import { schedule } from '../../../reconciler/placement/schedule';
import type { FleetMachine } from '../../../spec';
import { given, nodesOf, smallFleet, type SmallFleet } from './fleets';
import { hasSolution, keepsRules } from './rules';
import { tries } from '../../support/random/tries';

// a failure prints the smallest fleet that shows it
const RUNS = tries(100);

function always(
  holds: (fleet: SmallFleet, newcomers: Newcomer[], facts: ReturnType<typeof given>['facts']) => void,
) {
  fc.assert(
    fc.property(smallFleet, fleet => {
      const { newcomers, facts } = given(fleet);
      holds(fleet, newcomers, facts);
    }),
    RUNS,
  );
}

const byNode = (newcomers: readonly Newcomer[], nodes: Record<string, string | undefined>) => {
  const placed = new Map<string, FleetMachine[]>();
  for (const { machine } of newcomers) {
    const node = nodes[machine.id];
    if (node !== undefined) placed.set(node, [...(placed.get(node) ?? []), machine]);
  }
  return placed;
};

test('no hard rule is broken', () =>
  always((fleet, newcomers, facts) => {
    expect(keepsRules(fleet, byNode(newcomers, nodesOf(schedule(newcomers, facts))))).toBe(true);
  }));

test('where there are places for all, they are found', () => {
  let found = 0;
  let searched = 0;
  always((fleet, newcomers, facts) => {
    const isWhole = !Object.values(nodesOf(schedule(newcomers, facts))).includes(undefined);
    expect(isWhole).toBe(hasSolution(fleet, newcomers));
    found += Number(isWhole);
    searched += Number(isWhole && Object.values(nodesOf(schedule(newcomers, facts, 0))).includes(undefined));
  });
  // the fleets are of each kind: with places for all, without, and with places that only a search finds
  expect(found).toBeGreaterThan(RUNS.numRuns / 10);
  expect(RUNS.numRuns - found).toBeGreaterThan(RUNS.numRuns / 10);
  expect(searched).toBeGreaterThan(0);
});

test('a machine without a place would have none beside those that have one', () =>
  always((fleet, newcomers, facts) => {
    const nodes = nodesOf(schedule(newcomers, facts));
    const placed = newcomers.filter(({ machine }) => nodes[machine.id] !== undefined);
    for (const left of newcomers.filter(newcomer => !placed.includes(newcomer)))
      expect(hasSolution(fleet, [...placed, left])).toBe(false);
  }));

test('the order in which machines and nodes are given changes nothing', () =>
  always((_, newcomers, facts) => {
    const turned = { ...facts, cluster: { ...facts.cluster, nodes: [...facts.cluster.nodes].reverse() } };
    expect(nodesOf(schedule([...newcomers].reverse(), turned))).toEqual(nodesOf(schedule(newcomers, facts)));
  }));

test('a default changes nothing, named or not', () =>
  always((_, newcomers, facts) => {
    const named = newcomers.map(newcomer => ({ ...newcomer, machine: withDefaults(newcomer.machine) }));
    expect(nodesOf(schedule(named, facts))).toEqual(nodesOf(schedule(newcomers, facts)));
  }));

function withDefaults({ placement, ...machine }: FleetMachine): FleetMachine {
  const { strategy = 'spread', affinity = [], antiAffinity = [], ...rest } = placement ?? {};
  const [together, apart] = [affinity, antiAffinity].map(rules =>
    rules.map(({ mode = 'hard', ...rule }) => ({ ...rule, mode })),
  );
  return {
    ...machine,
    pin: false,
    mode: 'reconcile',
    placement: { ...rest, strategy, affinity: together, antiAffinity: apart },
  };
}

test('no machine gives up its best place unless another has none otherwise', () =>
  always((_, newcomers, facts) => {
    const greedy = nodesOf(schedule(newcomers, facts, 0));
    if (Object.values(greedy).includes(undefined)) return;
    expect(nodesOf(schedule(newcomers, facts))).toEqual(greedy);
  }));

test('a machine that is there stays, and the others still have places', () =>
  always((_, newcomers, facts) => {
    const nodes = nodesOf(schedule(newcomers, facts));
    const [first, ...rest] = newcomers;
    const node = first && nodes[first.machine.id];
    if (!first || node === undefined || Object.values(nodes).includes(undefined)) return;
    const there = { machine: first.machine, node, planned: true, guest: undefined };
    const again = schedule(rest, { ...facts, others: new Map([[node, [there]]]) });
    expect(again.has(first.machine.id)).toBe(false);
    expect(Object.values(nodesOf(again))).not.toContain(undefined);
  }));

test('a refusal says of each node one reason, and each reason once', () =>
  always((_, newcomers, facts) => {
    for (const choice of schedule(newcomers, facts).values()) {
      if (!('why' in choice)) continue;
      const [, listed = ''] = /^no node can take it \((.*)\)\./s.exec(choice.detail) ?? [];
      const parts = listed.split(/; (?=pve\d(?:, pve\d)*: )/).map(part => part.split(/: (.*)/s));
      const names = parts.flatMap(([nodes = '']) => nodes.split(', '));
      expect(names.sort()).toEqual(facts.cluster.nodes.map(({ name }) => name).sort());
      expect(new Set(parts.map(([, reason]) => reason)).size).toBe(parts.length);
    }
  }));
