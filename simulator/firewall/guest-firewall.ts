import type { Call } from '../call';
import { checkUnmodified } from '../section-change';
import { digestOfText } from '../section-config';
import type { Firewall } from '../world';

/** The firewall file of the call's guest, empty when there is none. It belongs to the id: the guest need not exist. */
export function guestFirewall({ sim, params }: Call): Firewall {
  const known = sim.world.firewall[params['vmid'] ?? ''];
  return known ?? { options: {}, rules: [], aliases: {}, ipsets: {} };
}

/** Changes the guest's firewall file: all of it or, when the change fails, nothing. */
export function changeFirewall(call: Call, change: (firewall: Firewall) => void): null {
  const firewall = structuredClone(guestFirewall(call));
  change(firewall);
  call.sim.world.firewall[call.params['vmid'] ?? ''] = firewall;
  return null;
}

/** The digest of a list of entries as Proxmox's firewall counts it. */
export function digestOfEntries(entries: Record<string, string | number>[]): string {
  const lines = entries.flatMap(entry =>
    Object.keys(entry)
      .sort()
      .map(key => `${key}:${entry[key]}\n`),
  );
  return digestOfText(lines.join(''));
}

/** Fails when the caller's digest is not that of the entries. */
export function checkEntries(sent: string | undefined, entries: Record<string, string | number>[]): void {
  checkUnmodified(sent, digestOfEntries(entries));
}

/** Each entry with the digest of all. */
export function withDigest(entries: Record<string, string | number>[]): Record<string, unknown>[] {
  const digest = digestOfEntries(entries);
  return entries.map(entry => ({ ...entry, digest }));
}
