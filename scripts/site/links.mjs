import path from 'node:path';

/** A target in Markdown, `](…)`, or in HTML. What stands in code is no link. */
const CODE = /^(```|~~~)[\s\S]*?^\1|`[^`\n]+`/gm;
const LINK = /(\]\(|\b(?:src|srcset|href)=")([^)"\s]+)/g;

/** The targets of a page that are in this repository, as they stand there. @param {string} text */
export const linksIn = text =>
  [...text.replaceAll(CODE, '').matchAll(LINK)].map(([, , target = '']) => target).filter(isOurs);

/** The page with each target in this repository replaced. @param {string} text @param {(target: string) => string} replace */
export function withLinks(text, replace) {
  const pieces = [];
  let last = 0;
  for (const code of [...text.matchAll(CODE), undefined]) {
    const end = code?.index ?? text.length;
    const prose = text.slice(last, end);
    pieces.push(
      prose.replaceAll(LINK, (all, before, target) => (isOurs(target) ? before + replace(target) : all)),
    );
    pieces.push(code?.[0] ?? '');
    last = end + (code?.[0].length ?? 0);
  }
  return pieces.join('');
}

/** @param {string} target */
const isOurs = target => !/^[a-z]+:/i.test(target);

/** What a target of a file names: a path from the root of the repository, and an anchor. @param {string} from @param {string} target */
export function placeOf(from, target) {
  const [name = '', anchor] = target.split('#');
  const file = name === '' ? from : path.posix.join(path.posix.dirname(from), name).replace(/\/$/, '');
  return { file, anchor };
}
