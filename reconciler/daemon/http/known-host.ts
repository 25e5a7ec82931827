import { isIP } from 'node:net';

/**
 * Whether a request that names this host was meant for us. An address always is. A name may be of somebody who lets it
 * point here, so that his page reads what only a browser in this network reaches (DNS rebinding): a name must be known.
 */
export function isKnownHost(header: string | undefined, names: readonly string[]): boolean {
  // no browser leaves it out
  if (header === undefined) return true;
  const [, six, plain = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(header) ?? [];
  if (six !== undefined) return isIP(six) === 6;
  const name = plain.toLowerCase().replace(/\.$/, '');
  return isIP(name) === 4 || name === 'localhost' || name.endsWith('.localhost') || names.includes(name);
}
