import { OtherProxmoxError } from '../errors';
import { ifAllowed } from '../observe/if-allowed';
import type { ObservedNode } from '../observed';
import { isOneLess, readAuthority, type Pve } from '../pve';
import type { Shared } from './shared';

/** What tells one Proxmox from another: `NAME FINGERPRINT`, of its cluster and of its own authority. `-`: it is not told. */
export type ProxmoxIdentity = string;

const UNTOLD = '-';

/** Reads which Proxmox answers now. Throws where no node tells it. */
export async function readProxmoxIdentity(
  { pve, reads }: Pick<Shared, 'pve' | 'reads'>,
  nodes: readonly Pick<ObservedNode, 'name' | 'online'>[],
): Promise<ProxmoxIdentity> {
  const only = nodes.length === 1 ? nodes[0]?.name : undefined;
  const authority = await authorityOf(pve, nodes);
  // the name decides only where there is nothing better
  const status = await (authority === undefined ? reads.status.now() : reads.status.recent());
  return `${status?.clusterName ?? only ?? UNTOLD} ${authority ?? UNTOLD}`;
}

/** Each node tells the same: the first that answers. */
async function authorityOf(
  pve: Pve,
  nodes: readonly Pick<ObservedNode, 'name' | 'online'>[],
): Promise<string | undefined> {
  let failure: unknown;
  for (const { name } of nodes.filter(({ online }) => online)) {
    try {
      return await ifAllowed(readAuthority(pve, name));
    } catch (error) {
      if (!isOneLess(error)) throw error;
      failure = error;
    }
  }
  if (failure !== undefined) throw failure;
  return undefined;
}

/** Whether it tells anything to know it by. */
export function isKnowable(proxmox: ProxmoxIdentity): boolean {
  return proxmox !== `${UNTOLD} ${UNTOLD}`;
}

/** Whether what answers now is what something is bound to. The authority decides, where that is known of the first. */
export function isSameProxmox(bound: ProxmoxIdentity, now: ProxmoxIdentity): boolean {
  const [name = UNTOLD, authority = UNTOLD] = bound.split(' ');
  const [nameNow, authorityNow] = now.split(' ');
  if (authority !== UNTOLD) return authority === authorityNow;
  return name !== UNTOLD && name === nameNow;
}

/** For people. */
export function proxmoxText(proxmox: ProxmoxIdentity): string {
  const [name = UNTOLD, authority = UNTOLD] = proxmox.split(' ');
  const root = authority === UNTOLD ? 'unknown' : authority;
  return `Proxmox ${name === UNTOLD ? 'without a name' : name} (root certificate ${root})`;
}

/** Throws where another Proxmox answers now than the one that a machine is bound to. */
export async function needProxmox(
  shared: Pick<Shared, 'pve' | 'reads'>,
  nodes: readonly Pick<ObservedNode, 'name' | 'online'>[],
  { machine, bound }: { machine: string; bound: ProxmoxIdentity },
): Promise<void> {
  const now = await readProxmoxIdentity(shared, nodes);
  if (isSameProxmox(bound, now)) return;
  throw new OtherProxmoxError(machine, proxmoxText(bound), proxmoxText(now));
}
