/** GitHub refuses a comment that is longer. Bytes are counted, which are never fewer than characters. */
const MOST_COMMENT = 65_536;
/** Of the summary of a job. */
const MOST_SUMMARY = 1024 * 1024;

/** By this a comment is found again, with the run that wrote it. The key is a hash: no text of others is in it. @param {string} key @param {number[]} turn */
const markerOf = (key, [run, attempt]) =>
  `<!-- cdktf-proxmox review ${key} run=${run} attempt=${attempt} -->`;

const MARKER = /^<!-- cdktf-proxmox review (\w+)(?: run=(\d+) attempt=(\d+))? -->/;

/** Whose comment it is, and of which run; undefined: none of ours. Comments of before name no run, and are the earliest. @param {string} [text] */
export function markerIn(text = '') {
  const [whole, key, run = '0', attempt = '0'] = MARKER.exec(text) ?? [];
  return whole === undefined ? undefined : { key, turn: [Number(run), Number(attempt)] };
}

/** What is written: for the pull request, and for the job. @param {import('./settings.mjs').Settings} settings @param {import('./review.mjs').Reviewed} reviewed */
export function bodies(settings, reviewed) {
  return { comment: body(settings, reviewed, MOST_COMMENT), summary: body(settings, reviewed, MOST_SUMMARY) };
}

/** @param {import('./settings.mjs').Settings} settings @param {import('./review.mjs').Reviewed} review @param {number} most */
function body({ key, turn, stack, run }, review, most) {
  const { commit, isGated, isQuiet, hasOnlyUnchanged, markdown } = review;
  const title = `${plain(stack)}${commit === undefined ? '' : `, commit ${commit.slice(0, 12)}`}`;
  const marker = markerOf(key, turn);
  const foot = `The page of this review is an artefact of [this run](${run}): \`review-${key}\`.`;
  if (isQuiet && !isGated) {
    const summary = `<details><summary><b>${title}</b>: nothing changes</summary>`;
    return whole([marker, summary], markdown, ['</details>', foot], most);
  }
  const head = [marker, `### ${title}`];
  if (isGated) head.push('**This plan is not let through:** it holds what `fail-on` names.');
  if (hasOnlyUnchanged && !isQuiet) head.push(NO_MACHINE);
  return whole(head, markdown, [foot], most);
}

const NO_MACHINE =
  '**No machine changes.** The plan changes something else, which this review does not read: see the plan.';

/** As much of a review as there is room for. @param {string[]} head @param {string} markdown @param {string[]} foot @param {number} most */
function whole(head, markdown, foot, most) {
  const all = [...head, markdown.trim(), ...foot].join('\n\n');
  if (bytes(all) <= most) return all;
  const cut = '**This is not all of it:** the whole review is too long for this place. Read the page.';
  // joined by blank lines, with some to spare
  const room = most - bytes([...head, cut, ...foot].join('\n\n')) - 100;
  return [...head, cut, beginning(markdown.trim(), room), ...foot].join('\n\n');
}

/** Whole lines, and no detail that is not closed. @param {string} text @param {number} room */
function beginning(text, room) {
  const lines = [];
  let used = 0;
  for (const line of text.split('\n')) {
    used += bytes(line) + 1;
    if (used > room) break;
    lines.push(line);
  }
  const kept = lines.join('\n');
  const [opened, closed] = [kept.lastIndexOf('<details>'), kept.lastIndexOf('</details>')];
  return opened > closed ? kept.slice(0, opened).trimEnd() : kept;
}

/** @param {string} text */
const bytes = text => Buffer.byteLength(text, 'utf8');

/** Text of others as text, in one line: no markup, no link, no mention of a person. @param {string} text */
function plain(text) {
  return text
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ')
    .replace(/[&<>"'@:.`*_[\]()|~#!\\]/g, sign => `&#${sign.charCodeAt(0)};`);
}
