import { unescapePercent } from '../wire/percent';

/** The target of a request, taken apart. */
export interface Target {
  /** Percent-decoded, doubled slashes made one. */
  path: string;
  /** What stands behind the question mark, still encoded. */
  query: string;
}

/** Takes a request's target apart. Never fails. */
export function parseTarget(target: string): Target {
  const relative = target.replace(/^https?:\/\/[^/?]*/, '');
  const mark = relative.indexOf('?');
  const raw = mark < 0 ? relative : relative.slice(0, mark);
  return {
    path: unescapePercent(raw).replace(/\/{2,}/g, '/') || '/',
    query: mark < 0 ? '' : relative.slice(mark + 1),
  };
}

/** The format and the path below it, of a path under /api2; undefined where there is none. */
export function splitApiPath(path: string): { format: string; path: string } | undefined {
  const match = /^\/api2\/+([a-z][a-z0-9]+)(\/.*)?$/s.exec(path);
  return match ? { format: match[1] ?? '', path: match[2] ?? '/' } : undefined;
}
