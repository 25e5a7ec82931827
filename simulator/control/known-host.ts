import { isIP } from 'node:net';

/** Whether a request names an address, localhost, or a name that was given: not one that somebody lets point here (DNS rebinding). */
export function isKnownHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined) return true;
  const [, six, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  if (six !== undefined) return isIP(six) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost') || names.includes(name);
}
