import { ReleaseError } from './command.mjs';

const UNRELEASED = '## Unreleased\n';

/**
 * The changelog in which what is unreleased belongs to a version, below a new empty heading. What stands before its
 * first group was written after the summary: it gets a group of its own at the end.
 * @param {string} text @param {string} version @param {string} date
 */
export function cut(text, version, date) {
  const start = text.indexOf(UNRELEASED);
  if (start === -1) throw new ReleaseError('CHANGELOG.md has no "## Unreleased": write it, then run again.');
  const body = text.slice(start + UNRELEASED.length);
  const next = /^## /m.exec(body)?.index ?? body.length;
  const [section, older] = [body.slice(0, next).trim(), body.slice(next).trim()];
  if (!section)
    throw new ReleaseError('CHANGELOG.md names nothing that is unreleased: there is nothing to release.');
  const group = section.startsWith('### ') ? 0 : section.search(/^### /m);
  const late = group > 0 ? `\n\n### Also\n\n${section.slice(0, group).trim()}` : '';
  const groups = group > 0 ? section.slice(group) : section;
  const parts = [`## ${version} (${date})`, `${groups}${late}`, older].filter(part => part);
  return `${text.slice(0, start)}${UNRELEASED}\n${parts.join('\n\n')}\n`;
}

/** What is told of a version where it is published: its first group, which is the summary; else all. @param {string} text @param {string} version */
export function notesOf(text, version) {
  const [, after] = text.split(new RegExp(`^## ${version.replaceAll('.', '\\.')} .*$`, 'm'));
  if (after === undefined)
    throw new ReleaseError(
      `CHANGELOG.md has no "## ${version} (date)": cut the release first (npm run release).`,
    );
  const [section = ''] = after.split(/^## /m);
  const groups = section.trim().split(/^(?=### )/m);
  const [first = ''] = groups;
  const more = groups.length > 1 ? `\n\nAll of it: CHANGELOG.md.` : '';
  return `${first.replace(/^### .*\n/, '').trim()}${more}\n`;
}
