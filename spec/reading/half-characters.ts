import type { Path } from './path';
import type { Finding } from './problem';

/**
 * Texts and keys with half of a character (a surrogate alone), which UTF-8 cannot hold: Proxmox would store another sign
 * in its place, and the text would differ in each run.
 */
export function halfCharacters(value: unknown, path: Path = []): Finding[] {
  if (typeof value === 'string') return HALF.test(value) ? [half(path)] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const place = [...path, Array.isArray(value) ? Number(key) : key];
    return [...(HALF.test(key) ? [half(place)] : []), ...halfCharacters(inner, place)];
  });
}

const HALF = /\p{Surrogate}/u;

function half(path: Path): Finding {
  return {
    path,
    kind: 'invalid',
    reason: 'holds half of a character (a surrogate alone)',
    remedy: 'Write the whole character, or remove it: UTF-8 cannot hold a half.',
  };
}
