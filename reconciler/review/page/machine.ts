import { escaped } from './escaped';
import { losesDisks, type Review, type ReviewedMachine } from '../review';
import { disksText, hasNoBefore, placeText, rowsOf, titleOf, WORDS } from '../words';

/** Where a machine stands in the page. */
export function anchorOf(machine: ReviewedMachine, { machines }: Review): string {
  return `machine-${machines.indexOf(machine) + 1}`;
}

/** What becomes of a machine, in a word. */
export function badgeOf({ verdict }: ReviewedMachine): string {
  return `<span class="badge ${verdict}">${WORDS[verdict].word}</span>`;
}

/** One machine: what becomes of it, why, and each change with its cost. */
export function machineHtml(machine: ReviewedMachine, review: Review): string {
  const { verdict, does, notes } = machine;
  const place = placeText(machine);
  const goes = disksText(machine);
  const lines = [does.map(action => `Does: ${action}.`), notes]
    .flat()
    .map(line => `<li>${escaped(line)}</li>`);
  const heavy = losesDisks(machine) ? ' heavy' : '';
  return `<article class="card${heavy}" data-verdict="${verdict}" id="${anchorOf(machine, review)}">
<div class="head"><h3>${escaped(titleOf(machine, review))}</h3>
${badgeOf(machine)}
${place === '' ? '' : `<span class="soft">${escaped(place)}</span>`}</div>
<p class="soft">${WORDS[verdict].means}</p>
${goes === undefined ? '' : `<p class="lost"><strong>${escaped(goes)}</strong></p>`}
${lines.length === 0 ? '' : `<ul class="notes">${lines.join('')}</ul>`}
${tableOf(machine)}
</article>`;
}

function tableOf(machine: ReviewedMachine): string {
  const isNew = hasNoBefore(machine);
  const columns = isNew ? ['Value'] : ['From', 'To', 'Cost'];
  const rows = rowsOf(machine).map(({ field, from, to, cost }) => {
    const values = isNew ? [to] : [from, to, cost];
    const cells = values.map((value, at) => `<td data-label="${columns[at]}">${escaped(value)}</td>`);
    return `<tr><th scope="row">${escaped(field)}</th>${cells.join('')}</tr>`;
  });
  if (rows.length === 0) return '';
  const heads = ['Field', ...columns].map(column => `<th scope="col">${column}</th>`);
  return `<table class="${isNew ? 'new' : 'changed'}"><thead><tr>${heads.join('')}</tr></thead>\n<tbody>${rows.join('\n')}</tbody></table>`;
}
