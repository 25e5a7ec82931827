import { counted } from '../../errors';
import { escaped } from './escaped';
import { FILTER_HASH, FILTER_SCRIPT, filterHtml } from './filter';
import { machineHtml } from './machine';
import { nodesHtml } from './nodes';
import { STYLE } from './style';
import { losesDisks, type Review, type ReviewedMachine } from '../review';
import { countsOf, headingOf, isQuiet, lostText, originOf, WORDS } from '../words';

/** A review as one page that needs no network, and for all but its filter no script: what is lost comes first. All text of others is escaped. */
export function reviewHtml(review: Review): string {
  const title = escaped(headingOf(review));
  const gone = review.machines.filter(losesDisks);
  const loud = review.machines.filter(one => !losesDisks(one) && !isQuiet(one));
  const quiet = review.machines.filter(isQuiet);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${FILTER_HASH}'; img-src data:">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="soft">${escaped(originOf(review))}</p>
${totals(review)}
${lost(review)}
${warnings(review)}
${filterHtml(review)}
${cards('lost', 'Destroyed or made anew', gone, review)}
${cards('machines', gone.length === 0 ? 'Machines' : 'Other machines', loud, review)}
${quiet.length === 0 ? '' : unchanged(quiet.map(machine => machineHtml(machine, review)))}
${nodesHtml(review)}
</main>
<script>${FILTER_SCRIPT}</script>
</body>
</html>`;
}

function totals(review: Review): string {
  if (review.machines.length === 0) return '<p>No machines.</p>';
  const items = countsOf(review).map(
    ([kind, count]) => `<li class="badge ${kind}"><strong>${count}</strong> ${WORDS[kind].word}</li>`,
  );
  return `<ul class="totals" aria-label="Totals">${items.join('')}</ul>`;
}

function lost(review: Review): string {
  const text = lostText(review);
  return text === undefined ? '' : `<p class="lost"><strong>${text}</strong></p>`;
}

function warnings({ warnings: texts }: Review): string {
  const items = texts.map(text => `<li>${escaped(text)}</li>`).join('');
  return section('warnings', 'Warnings', items === '' ? [] : [`<ul class="warnings">${items}</ul>`]);
}

function unchanged(articles: string[]): string {
  const words = counted(articles.length, 'machine stays as it is', 'machines stay as they are');
  return `<details class="unchanged"><summary>${words}</summary>\n${articles.join('\n')}\n</details>`;
}

function cards(id: string, heading: string, machines: ReviewedMachine[], review: Review): string {
  const articles = machines.map(machine => machineHtml(machine, review));
  return section(id, heading, articles, 'some');
}

function section(id: string, heading: string, parts: string[], kind = ''): string {
  if (parts.length === 0) return '';
  return `<section class="${kind}" aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>\n${parts.join('\n')}\n</section>`;
}
