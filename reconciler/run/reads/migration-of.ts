import * as z from 'zod';
import type { MigrationFacts } from '../../machine/facts';
import {
  PveError,
  listReplicationJobs,
  readMigration,
  type GuestAddress,
  type Migration,
  type Pve,
  type PveErrorKind,
} from '../../pve';
import { haHomeOf } from './ha-home';

const BLOCKING = 'blocking-ha-resources';
const Blocking = z.array(z.object({ sid: z.string(), cause: z.string().optional() }));

/** What passes, and is waited out where the move itself meets it; and what the preflight refuses in better words. */
const TOLD_LATER: readonly PveErrorKind[] = ['locked', 'no-quorum', 'not-found', 'unreachable', 'denied'];

/** Asks PVE about moving a guest. Undefined: it does not say now. Reads only. */
export async function migrationOf(pve: Pve, guest: GuestAddress): Promise<MigrationFacts | undefined> {
  try {
    const facts = factsOf(await readMigration(pve, guest));
    // what has no disk of its node's own has nothing to replicate
    const jobs = facts.localDisks.length === 0 ? [] : await replicationOf(pve, guest);
    const haHome = await haHomeOf(pve, guest.vmid);
    return { ...facts, ...(jobs.length > 0 && { replicatedTo: jobs }), ...(haHome && { haHome }) };
  } catch (error) {
    if (error instanceof PveError && TOLD_LATER.includes(error.kind)) return undefined;
    throw error;
  }
}

/** A server that does not tell them decides nothing: Proxmox refuses then, or the jobs fail later. */
async function replicationOf(pve: Pve, { vmid }: GuestAddress): Promise<string[]> {
  try {
    const jobs = await listReplicationJobs(pve);
    return jobs.filter(({ guest }) => guest === vmid).map(({ target }) => target);
  } catch (error) {
    if (error instanceof PveError && error.kind !== 'unauthenticated') return [];
    throw error;
  }
}

function factsOf(said: Migration): MigrationFacts {
  const lacking = Object.entries(said.not_allowed_nodes ?? {});
  return {
    allowedNodes: said.allowed_nodes,
    lacks: Object.fromEntries(
      lacking.flatMap(([node, things]) => {
        const lacks = Object.entries(things).filter(([what]) => what !== BLOCKING);
        const words = lacks.map(([what, which]) => `${what}: ${JSON.stringify(which)}`);
        return words.length === 0 ? [] : [[node, words.join(', ')] as const];
      }),
    ),
    barredByHa: Object.fromEntries(
      lacking.flatMap(([node, { [BLOCKING]: rows }]) => {
        const words = (Blocking.safeParse(rows).data ?? []).map(barWords);
        return words.length === 0 ? [] : [[node, words.join(', ')] as const];
      }),
    ),
    companions: said['dependent-ha-resources'] ?? [],
    localDisks: said.local_disks.map(({ volid, cdrom, is_cloudinit, referenced_in_snapshot }) => ({
      volid,
      isCd: cdrom === true && is_cloudinit !== true,
      isInSnapshot: referenced_in_snapshot !== undefined,
    })),
    localResources: said.local_resources,
    mappedResources: said['mapped-resources'] ?? [],
  };
}

/** PVE 9.2 tells both causes, 9.0 and 9.1 only that of resources (schema-9.2.json). */
function barWords({ sid, cause }: z.infer<typeof Blocking>[number]): string {
  return cause === 'node-affinity'
    ? `a rule of HA does not let ${sid} be there`
    : `${sid} is there, and a rule of HA keeps the two apart`;
}
