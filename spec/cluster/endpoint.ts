import * as z from 'zod';
import { parseAddress } from '../values/ip-address';
import { refuse, wants } from '../fields/wants';

const ALLOWED = 'an address such as "https://pve.example.com:8006"';
const HOST = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[([0-9a-fA-F:.]+)\])$/;

/** Where the API is. With or without the port, "/", "/api2" or "/api2/json"; its parsed form names the port and no path. */
export const Endpoint = z.string(wants(ALLOWED)).transform((given, ctx) => {
  const [, scheme, rest = ''] = /^([a-z]+):\/\/(.*)$/i.exec(given.trim()) ?? [];
  if (scheme === undefined) return refuse(ctx, given, ALLOWED, 'Begin it with "https://".');
  if (scheme.toLowerCase() !== 'https') return refuse(ctx, given, ALLOWED, 'Proxmox speaks https only.');
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
  return `https://${host.toLowerCase()}:${Number(port)}`;
});
