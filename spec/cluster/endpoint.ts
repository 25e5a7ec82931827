import * as z from 'zod';
import { parseAddress } from '../values/ip-address';
import { refuse, wants } from '../fields/wants';

const ALLOWED = 'an address such as "https://pve.example.com:8006"';
/** A name or an address that leads to this machine, where nobody listens between. */
const OWN = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[([0-9a-fA-F:.]+)\])$/;

/** A file of variables whose reader takes them as they stand. */
const QUOTED = /^['"`\u2018-\u201F]|['"`\u2018-\u201F]$/;
const UNQUOTE = 'Remove the quotes around it: they are read as a part of it.';
const PLAIN = 'Begin it with "https://": plain http is taken only where a proxy on this machine listens.';

/** Where the API is: https, or plain http on this machine. With or without the port, "/", "/api2" or "/api2/json"; its parsed form names the port and no path. */
export const Endpoint = z.string(wants(ALLOWED)).transform((given, ctx) => {
  if (QUOTED.test(given.trim())) return refuse(ctx, given, ALLOWED, UNQUOTE);
  const [, scheme, rest = ''] = /^([a-z]+):\/\/(.*)$/i.exec(given.trim()) ?? [];
  if (scheme === undefined) return refuse(ctx, given, ALLOWED, 'Begin it with "https://".');
  const plain = scheme.toLowerCase() === 'http';
  if (!plain && scheme.toLowerCase() !== 'https')
    return refuse(ctx, given, ALLOWED, 'Begin it with "https://".');
  if (rest.includes('@'))
    return refuse(ctx, given, ALLOWED, 'Credentials never stand in an address: remove them.');
  const [, authority = '', path = ''] = /^([^/?#]*)(.*)$/.exec(rest) ?? [];
  if (!/^(?:\/|\/api2\/?|\/api2\/json\/?)?$/.test(path)) {
    return refuse(ctx, given, ALLOWED, 'Remove what follows the host and its port.');
  }
  const [, host = '', port = '8006'] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(authority) ?? [];
  const literal = HOST.exec(host);
  const wrong = literal === null || (literal[1] !== undefined && parseAddress(literal[1])?.family !== 'ipv6');
  if (wrong || Number(port) < 1 || Number(port) > 65_535) return refuse(ctx, given, ALLOWED);
  if (plain && !OWN.test(host)) return refuse(ctx, given, ALLOWED, PLAIN);
  return `${plain ? 'http' : 'https'}://${host.toLowerCase()}:${Number(port)}`;
});
