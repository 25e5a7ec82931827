import * as z from 'zod';
import type { Pve } from '../http/client';
import { listingOf, recordOf } from '../answers/wire-values';
import { guestPath, type GuestAddress } from './qemu';

/** What the firewall of a guest holds: how many of each, and the names of the options that are set. */
export interface GuestFirewall {
  rules: number;
  aliases: number;
  ipSets: number;
  options: string[];
}

/** Reads the firewall of a guest. Needs VM.Audit on it. */
export async function readFirewall(pve: Pve, guest: GuestAddress): Promise<GuestFirewall> {
  const at = `${guestPath(guest)}/firewall`;
  const countOf = async (what: string): Promise<number> => {
    const answer = listingOf(z.looseObject({}));
    return (await pve.call({ method: 'GET', path: `${at}/${what}`, answer })).length;
  };
  const [rules, aliases, ipSets, options] = await Promise.all([
    countOf('rules'),
    countOf('aliases'),
    countOf('ipset'),
    pve.call({ method: 'GET', path: `${at}/options`, answer: recordOf(z.unknown()) }),
  ]);
  const names = Object.keys(options).filter(name => name !== 'digest');
  return { rules, aliases, ipSets, options: names.sort() };
}
