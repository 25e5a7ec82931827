import * as z from 'zod';
import { refuse, wants } from '../fields/wants';

const ALLOWED = 'a SHA-256 fingerprint: 64 hexadecimal digits, with or without ":"';

/** The pin of the server's certificate. Its parsed form is upper case with colons. */
export const Fingerprint = z.string(wants(ALLOWED)).transform((given, ctx) => {
  const digits = given.replace(/^sha-?256[ :=]*/i, '').replace(/[: ]/g, '');
  if (!/^[0-9a-f]+$/i.test(digits)) return refuse(ctx, given, ALLOWED);
  if (digits.length === 40) return refuse(ctx, given, ALLOWED, 'This is SHA-1: take the SHA-256 one.');
  if (digits.length !== 64) return refuse(ctx, given, ALLOWED, `It has ${digits.length} of them.`);
  return digits.toUpperCase().match(/../g)?.join(':') ?? given;
});
