import type { MachineSpec } from '../../../spec';
import type { Run } from '../run';
import type { ObservedGuest } from '../../observed';
import type { MigrationFacts, PlanContext } from '../../machine/plan-context';
import { PveError, readMigration, type Migration, type PveErrorKind } from '../../pve';

/** What passes, and is waited out where the move itself meets it; and what the preflight refuses in better words. */
const TOLD_LATER: readonly PveErrorKind[] = ['locked', 'no-quorum', 'not-found', 'unreachable', 'denied'];

/** Asks PVE about moving a guest, when it is not on the node where it is pinned. Reads only. */
export async function migrationOf(
  run: Run,
  { pin, node }: MachineSpec,
  guest: ObservedGuest,
): Promise<Pick<PlanContext, 'migration'>> {
  if (pin !== true || node === undefined || node === guest.node || guest.lock !== undefined) return {};
  await run.reading.learn([node]);
  try {
    return { migration: factsOf(await readMigration(run.pve, guest)) };
  } catch (error) {
    if (error instanceof PveError && TOLD_LATER.includes(error.kind)) return {};
    throw error;
  }
}

function factsOf(said: Migration): MigrationFacts {
  const lacking = Object.entries(said.not_allowed_nodes ?? {});
  return {
    allowedNodes: said.allowed_nodes,
    lacks: Object.fromEntries(
      lacking.flatMap(([node, things]) => {
        const words = Object.entries(things).map(([what, which]) => `${what}: ${JSON.stringify(which)}`);
        return words.length === 0 ? [] : [[node, words.join(', ')] as const];
      }),
    ),
    localDisks: said.local_disks.map(({ volid, cdrom, is_cloudinit, referenced_in_snapshot }) => ({
      volid,
      isCd: cdrom === true && is_cloudinit !== true,
      isInSnapshot: referenced_in_snapshot !== undefined,
    })),
    localResources: said.local_resources,
    mappedResources: said['mapped-resources'] ?? [],
  };
}
