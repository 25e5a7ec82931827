import * as z from 'zod';
import { formatAddress, parseAddress, parseCidr } from './ip-address';
import { refuse, wants } from '../fields/wants';

type Family = 'ipv4' | 'ipv6';
const EXAMPLES = { ipv4: '192.0.2.10', ipv6: '2001:db8::10' } as const;

/** An address without a prefix, of one family or of either. Its parsed form is its one spelling. */
export function addressOf(family?: Family) {
  const allowed = `an address such as "${EXAMPLES[family ?? 'ipv4']}"`;
  return z.string(wants(allowed)).transform((given, ctx) => {
    const read = parseAddress(given);
    if (read !== undefined && family !== undefined && read.family !== family) {
      return refuse(ctx, given, allowed, ofOtherFamily(read));
    }
    if (read === undefined) {
      return refuse(ctx, given, allowed, parseCidr(given) ? 'Remove the "/" and what follows.' : undefined);
    }
    return formatAddress(read);
  });
}

/** What is said of an address that stands under the other family. */
export function ofOtherFamily({ family }: { family: Family }): string {
  return `This is ${family}: put it under ${family}.`;
}

/** The prefix that most networks of a family have. */
export function usualPrefix({ family }: { family: Family }): string {
  return family === 'ipv6' ? '/64' : '/24';
}

/** A host's address with its prefix, of one family or of either. */
export function cidrOf(family?: Family) {
  const allowed = `an address with its prefix, such as "${EXAMPLES[family ?? 'ipv4']}${usualPrefix({ family: family ?? 'ipv4' })}"`;
  return z.string(wants(allowed)).transform((given, ctx) => {
    const read = parseCidr(given);
    if (read !== undefined && family !== undefined && read.family !== family) {
      return refuse(ctx, given, allowed, ofOtherFamily(read));
    }
    if (read === undefined) {
      const bare = parseAddress(given);
      const remedy = bare && `Add the prefix, for example "${given}${usualPrefix(bare)}".`;
      return refuse(ctx, given, allowed, remedy);
    }
    return `${formatAddress(read)}/${read.prefix}`;
  });
}
