import type { Disguise } from './disguise/disguise';
import type { Unread } from './server/reader';
import { shown } from './shown';

const MOST_LINES = 30;

/** What is said at the end: what was replaced, what could not be read and why, and what the file holds otherwise. */
export function reportOf(out: string, disguise: Disguise, unread: Unread[], remarks: string[]): string {
  const replaced = [...disguise.replaced].map(([kind, values]) => `${values.size} ${kind}`);
  const lines = [
    `${shown(out)} is written. Look through it before you hand it on.`,
    `Replaced: ${replaced.join(', ') || 'nothing'}.`,
    ...part(
      'Could not be read:',
      unread.map(({ path, why }) => `GET ${path}: ${why}`),
    ),
    ...part('Missing privileges:', [...new Set(unread.flatMap(({ why }) => privilegeIn(why)))]),
    ...part('In the file it is otherwise:', remarks),
  ];
  return `${lines.join('\n')}\n`;
}

/** Proxmox names the path and the privilege: "Permission check failed (/nodes/pve1, Sys.Audit)". */
function privilegeIn(why: string): string[] {
  const [, path, privilege] = /^403 .*\((\/[^,()]*), ([A-Za-z.|]+)\)/.exec(why) ?? [];
  return path === undefined || privilege === undefined ? [] : [`${privilege} on ${path}`];
}

function part(title: string, lines: string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MOST_LINES ? [`  and ${lines.length - MOST_LINES} more`] : [];
  return [title, ...lines.slice(0, MOST_LINES).map(line => `  ${shown(line)}`), ...more];
}
