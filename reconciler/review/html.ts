import { escaped } from './escaped';
import { machineHtml } from './html-machine';
import { nodesHtml } from './html-nodes';
import { STYLE } from './html-style';
import { VERDICTS, type Review } from './review';
import { lostText, WORDS } from './words';

/** A review as one page that needs nothing else: no script, no network. All text of others is escaped. */
export function reviewHtml(review: Review): string {
  const title = review.of === 'plan' ? 'What this plan does to machines' : 'What this stack wants';
  const loud = review.machines.filter(({ verdict }) => verdict !== 'unchanged');
  const quiet = review.machines.filter(({ verdict }) => verdict === 'unchanged');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${totals(review)}
${lost(review)}
${warnings(review)}
${nodesHtml(review)}
${section(
  'machines',
  'Machines',
  loud.map(machine => machineHtml(machine, review)),
)}
${quiet.length === 0 ? '' : unchanged(quiet.map(machine => machineHtml(machine, review)))}
</main>
</body>
</html>`;
}

function totals({ totals: counts, machines }: Review): string {
  if (machines.length === 0) return '<p>No machines.</p>';
  const items = VERDICTS.flatMap(kind => {
    const count = counts[kind];
    return count === undefined
      ? []
      : [`<li class="badge ${kind}"><strong>${count}</strong> ${WORDS[kind]}</li>`];
  });
  return `<ul class="totals" aria-label="Totals">${items.join('')}</ul>`;
}

function lost(review: Review): string {
  const text = lostText(review);
  return text === undefined ? '' : `<p class="lost"><strong>${text}</strong></p>`;
}

function warnings({ warnings: texts }: Review): string {
  const items = texts.map(text => `<li>${escaped(text)}</li>`);
  return section(
    'warnings',
    'Warnings',
    items.length === 0 ? [] : [`<ul class="warnings">${items.join('')}</ul>`],
  );
}

function unchanged(articles: string[]): string {
  const words =
    articles.length === 1 ? '1 machine stays as it is' : `${articles.length} machines stay as they are`;
  return `<details><summary>${words}</summary>\n${articles.join('\n')}\n</details>`;
}

function section(id: string, heading: string, parts: string[]): string {
  if (parts.length === 0) return '';
  return `<section aria-labelledby="${id}"><h2 id="${id}">${heading}</h2>\n${parts.join('\n')}\n</section>`;
}
