import type { Call } from '../call';
import { fail } from '../failure';
import { needQuorum } from '../quorum';
import { digestOfText } from '../section-config';
import type { Firewall } from '../world';

/** The firewall file of the call's guest, empty when there is none. It belongs to the id: the guest need not exist. */
export function guestFirewall({ sim, params }: Call): Firewall {
  const known = sim.world.firewall[params['vmid'] ?? ''];
  return known ?? { options: {}, rules: [], aliases: {}, ipsets: {} };
}

/** Changes the guest's firewall file: all of it or, when the change fails, nothing. */
export function changeFirewall(call: Call, change: (firewall: Firewall) => void): null {
  const vmid = call.params['vmid'] ?? '';
  needQuorum(call.sim.world, `cfs-lock 'firewall-vm-${vmid}' error: no quorum!`);
  const firewall = structuredClone(guestFirewall(call));
  change(firewall);
  call.sim.world.firewall[vmid] = firewall;
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
  if (sent === undefined || sent === '' || sent === digestOfEntries(entries)) return;
  fail('detected modified configuration - file changed by other user? Try again.');
}

/** Each entry with the digest of all. */
export function withDigest(entries: Record<string, string | number>[]): Record<string, unknown>[] {
  const digest = digestOfEntries(entries);
  return entries.map(entry => ({ ...entry, digest }));
}

/** The names of a list such as `delete`. */
export function namesOf(text = ''): string[] {
  return text.split(/[\s,;]+/).filter(name => name !== '');
}
