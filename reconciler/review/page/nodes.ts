import { escaped } from './escaped';
import { anchorOf, badgeOf } from './machine';
import type { Review, ReviewedMachine } from '../review';
import { titleOf } from '../words';

const ELSEWHERE = 'Place not known yet';

/** Each node with its machines before and after. Machines whose place nobody knows stand in a card of their own. */
export function nodesHtml(review: Review): string {
  if (review.machines.length === 0) return '';
  const names = new Set(review.machines.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  const cards = [...names].sort().map(node =>
    card(node, review, {
      before: review.machines.filter(({ before }) => before === node),
      after: review.machines.filter(({ after }) => after === node),
    }),
  );
  const lost = {
    before: review.machines.filter(({ before, verdict }) => before === undefined && exists(verdict).before),
    after: review.machines.filter(({ after, verdict }) => after === undefined && exists(verdict).after),
  };
  const rest = lost.before.length + lost.after.length === 0 ? [] : [card(ELSEWHERE, review, lost)];
  return `<section aria-labelledby="nodes"><h2 id="nodes">Nodes, before and after</h2>
<div class="nodes">${[...cards, ...rest].join('\n')}</div></section>`;
}

function exists(verdict: ReviewedMachine['verdict']): { before: boolean; after: boolean } {
  return {
    before: !['create', 'wanted', 'unknown', 'refused', 'unreached', 'unread', 'unplanned'].includes(verdict),
    after: !['destroy', 'unread', 'unplanned', 'refused', 'unreached'].includes(verdict),
  };
}

type Lanes = Record<'before' | 'after', ReviewedMachine[]>;

function card(name: string, review: Review, lanes: Lanes): string {
  const lane = (title: string, machines: ReviewedMachine[], isBefore: boolean): string => {
    const items = machines.map(machine => {
      const isTold = isBefore ? machine.verdict === 'destroy' : machine.verdict !== 'unchanged';
      const link = `<a href="#${anchorOf(machine, review)}">${escaped(titleOf(machine, review))}</a>`;
      return `<li>${link} ${isTold ? badgeOf(machine) : ''}</li>`;
    });
    const list = items.length === 0 ? '<p class="soft">none</p>' : `<ul>${items.join('')}</ul>`;
    return `<div class="lane"><h4>${title}</h4>${list}</div>`;
  };
  return `<div class="card"><h3>${escaped(name)}</h3>
<div class="lanes">${lane('Before', lanes.before, true)}${lane('After', lanes.after, false)}</div></div>`;
}
