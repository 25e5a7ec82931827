import { createHash } from 'node:crypto';
import type { Review } from '../review';
import { countsOf, WORDS } from '../words';

/** Shows only the machines that are asked for. Without script the form stays hidden, and all machines are there. */
export const FILTER_SCRIPT = `
const form = document.querySelector('form');
const cards = [...document.querySelectorAll('article')];
const rest = document.querySelector('details.unchanged');
const show = () => {
  const words = form.words.value.toLowerCase().split(/\\s+/);
  const wanted = form.verdict.value;
  const isWanted = card =>
    (wanted === '' || card.dataset.verdict === wanted) &&
    words.every(word => card.textContent.toLowerCase().includes(word));
  for (const card of cards) card.hidden = !isWanted(card);
  for (const item of document.querySelectorAll('.lane li'))
    item.hidden = document.getElementById(item.querySelector('a').hash.slice(1)).hidden;
  for (const part of document.querySelectorAll('section.some, .nodes > .card'))
    part.hidden = !part.querySelector('article:not([hidden]), li:not([hidden])');
  const isAll = wanted === '' && form.words.value === '';
  if (rest) rest.open = !isAll;
  const count = cards.filter(card => !card.hidden).length;
  form.count.value = isAll ? '' : count + ' of ' + cards.length + ' machines';
};
if (form) {
  form.hidden = false;
  form.addEventListener('input', show);
  form.addEventListener('submit', event => event.preventDefault());
}
`;

/** The script's hash, so that the page lets no other script run. */
export const FILTER_HASH = createHash('sha256').update(FILTER_SCRIPT).digest('base64');

/** What to show; nothing where there is nothing to choose. */
export function filterHtml(review: Review): string {
  const { machines } = review;
  if (machines.length < 2) return '';
  const options = countsOf(review).map(
    ([kind, count]) => `<option value="${kind}">${WORDS[kind].word} (${count})</option>`,
  );
  return `<form class="filter" hidden>
<label>Show <select name="verdict"><option value="">everything (${machines.length})</option>${options.join('')}</select></label>
<label>with the words <input type="search" name="words" placeholder="name, node, VM id, field" autocomplete="off"></label>
<output name="count" class="soft"></output>
</form>`;
}
