import * as z from 'zod';
import { refuse, wants } from '../fields/wants';

const ALLOWED = 'a unicast MAC address, such as "BC:24:11:00:00:01"';

/** A MAC address in any case and with any of the usual separators. Its parsed form is upper case with colons. */
export const MacAddress = z.string(wants(ALLOWED)).transform((given, ctx) => {
  const form = /^([0-9a-f]{2}([:-]?)(?:[0-9a-f]{2}\2){4}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4})$/i;
  if (!form.test(given)) return refuse(ctx, given, ALLOWED, 'Write six pairs of hexadecimal digits.');
  const digits = given.replace(/[^0-9a-f]/gi, '').toUpperCase();
  // PVE refuses group addresses: the second digit must be even.
  if (Number.parseInt(digits.slice(1, 2), 16) % 2 === 1) {
    return refuse(ctx, given, ALLOWED, 'Its first byte is odd, which marks a group address: make it even.');
  }
  return digits.match(/../g)?.join(':') ?? given;
});
