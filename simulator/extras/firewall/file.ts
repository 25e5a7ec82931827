import type { Call, HandlerTable } from '../../cluster/call';
import { fail } from '../../failure';
import { needQuorum } from '../../cluster/quorum';
import { digestOfText } from '../../cluster/section-config';
import type { Firewall } from '../../world';

/** Below which paths the firewalls of machines, containers and the cluster lie. */
export const FIREWALLS = [
  '/nodes/{node}/qemu/{vmid}/firewall',
  '/nodes/{node}/lxc/{vmid}/firewall',
  '/cluster/firewall',
];

/** Below which path the firewall of a node lies: it has no sets and no aliases. */
export const NODE_FIREWALL = '/nodes/{node}/firewall';

/** The same handlers for each of these firewalls. */
export function forEach(firewalls: string[], handlersAt: (firewall: string) => HandlerTable): HandlerTable {
  return Object.fromEntries(firewalls.flatMap(firewall => Object.entries(handlersAt(firewall))));
}

/** Whose firewall the call means: the key of the world's table. */
function ownerOf({ endpoint, node, params }: Call): string {
  return endpoint.path.startsWith('/cluster/') ? 'cluster' : (params['vmid'] ?? `node/${node}`);
}

/** The firewall file that the call means, empty when there is none. A guest's belongs to the id: the guest need not exist. */
export function firewallOf(call: Call): Firewall {
  return call.sim.world.firewall[ownerOf(call)] ?? emptyFirewall();
}

/** The cluster's firewall file: what it names is known in all others. */
export function clusterFirewall({ sim }: Call): Firewall {
  return sim.world.firewall['cluster'] ?? emptyFirewall();
}

const emptyFirewall = (): Firewall => ({ options: {}, rules: [], aliases: {}, ipsets: {} });

/** Changes the firewall file that the call means: all of it or, when the change fails, nothing. */
export function changeFirewall(call: Call, change: (firewall: Firewall) => void): null {
  if (call.params['vmid'] !== undefined) {
    needQuorum(call.sim.world, `cfs-lock 'firewall-vm-${call.params['vmid']}' error: no quorum!`);
  }
  const firewall = structuredClone(firewallOf(call));
  change(firewall);
  call.sim.world.firewall[ownerOf(call)] = firewall;
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
