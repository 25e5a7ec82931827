import type { MachineSpec } from '../machine/machine';
import type { NeighbourRule, PlacementSpec } from '../machine/placement';
import type { Finding } from '../reading/problem';

/** What a rule compares of a machine, or of a guest. */
export type Compared = Pick<MachineSpec, 'labels' | 'tags'>;

type Side = 'affinity' | 'antiAffinity';
type Ruled = Compared & Pick<MachineSpec, 'placement'>;

/** Whether a rule is about this machine. */
export function isMatch(
  { key, operator, values = [] }: NeighbourRule,
  { labels = {}, tags = [] }: Compared,
): boolean {
  const label = labels[key];
  const there = key === 'tag' ? tags : label === undefined ? [] : [label];
  if (operator === 'Exists') return there.length > 0;
  const isNamed = there.some(value => values.includes(value));
  return operator === 'In' ? isNamed : there.length > 0 && !isNamed;
}

/** Whether a hard rule of either machine is about the other: they are kept together (affinity), or apart. */
export function areTied(side: Side, one: Ruled, other: Ruled): boolean {
  return hasHard(side, one, other) || hasHard(side, other, one);
}

function hasHard(side: Side, { placement }: Ruled, other: Ruled): boolean {
  const rules = placement?.[side];
  return rules !== undefined && rules.some(rule => rule.mode !== 'soft' && isMatch(rule, other));
}

/** What rules about other machines cannot say, each alone and beside the others. */
export function* placementFindings(placement: PlacementSpec): Iterable<Finding> {
  const { affinity = [], antiAffinity = [] } = placement;
  yield* valueFindings('affinity', affinity);
  yield* valueFindings('antiAffinity', antiAffinity);
  for (const [i, apart] of antiAffinity.entries()) {
    const at = affinity.findIndex(together => contradict(together, apart));
    if (at < 0) continue;
    yield {
      path: ['antiAffinity', i],
      reason: `keeps apart what affinity[${at}] keeps together`,
      remedy: 'Remove one of the two rules, or let them match different machines.',
    };
  }
}

/** Rules that compare with nothing, or with something they ignore. */
function* valueFindings(side: Side, rules: readonly NeighbourRule[]): Iterable<Finding> {
  for (const [i, { operator, values }] of rules.entries()) {
    const path = [side, i, 'values'];
    if (operator === 'Exists' && values !== undefined) {
      yield { path, reason: 'means nothing with Exists', remedy: 'Remove it, or use In.' };
    }
    if (operator !== 'Exists' && (values ?? []).length === 0) {
      yield {
        path,
        kind: 'missing',
        reason: `is required with ${operator}`,
        remedy: 'Name at least one value.',
      };
    }
  }
}

/** Hard rules of which one machine can match both; and, whatever their mode, rules that match the same. */
function contradict(together: NeighbourRule, apart: NeighbourRule): boolean {
  if (together.key !== apart.key) return false;
  const areHard = together.mode !== 'soft' && apart.mode !== 'soft';
  return areHard ? overlap(together, apart) : said(together) === said(apart);
}

function overlap(one: NeighbourRule, other: NeighbourRule): boolean {
  const [named, rest] = one.operator === 'In' ? [one, other] : [other, one];
  // both leave a value that nobody has named
  if (named.operator !== 'In') return true;
  const { key, values = [] } = named;
  return values.some(value =>
    isMatch(rest, key === 'tag' ? { tags: [value] } : { labels: { [key]: value } }),
  );
}

function said({ operator, values = [] }: NeighbourRule): string {
  return JSON.stringify([operator, ...[...new Set(values)].sort()]);
}

/** Machines of one document that a hard rule of one keeps apart, and a hard rule of one together. */
export function* neighbourFindings(
  machines: readonly (Ruled & Pick<MachineSpec, 'id'>)[],
): Iterable<Finding> {
  const isAnyTogether = machines.some(({ placement }) => placement?.affinity !== undefined);
  for (const [i, machine] of isAnyTogether ? machines.entries() : []) {
    const other = machines.find(
      each =>
        each !== machine && hasHard('antiAffinity', machine, each) && areTied('affinity', machine, each),
    );
    if (other === undefined) continue;
    yield {
      path: ['machines', i, 'placement', 'antiAffinity'],
      reason: `keeps it apart from machine "${other.id}", with which affinity keeps it together`,
      remedy: 'Remove one of the two rules, or set one of them to mode "soft".',
    };
  }
}
