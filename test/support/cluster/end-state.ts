import type { Simulator, World } from '../../../simulator';
import { brokenInvariants } from '../../../simulator/invariants/broken';

/** The guests that carry the mark of this owner's machine, whatever their name. */
export function marked(world: World, machine: string) {
  return Object.values(world.guests).filter(({ config }) =>
    /<!-- pvr:(.*) -->/.exec(config['description'] ?? '')?.[1]?.includes(`"m":"${machine}"`),
  );
}

/**
 * All that a machine is, without what chance decides: two runs that ended alike give the same. With it what is wrong
 * with the world as a whole, volumes that nobody has, and what was not ours.
 */
export function endState({ world, sim }: Pick<Simulator, 'world' | 'sim'>, machine: string): unknown {
  const ours = marked(world, machine);
  const ids = new Set(ours.map(({ vmid }) => vmid));
  return {
    guests: ours.map(({ config, pending, pendingDelete, running, vmid, node, cloudInitChanges, snapshots }) =>
      withoutChance(
        {
          config: Object.fromEntries(Object.entries(config).filter(([key]) => key !== 'meta')),
          pending,
          pendingDelete,
          runs: running !== null,
          drive: Object.values(config).some(text => text.includes('cloudinit')) && cloudInitChanges,
          node,
          snapshots: Object.entries(snapshots).map(
            ([name, { parent, description, vmstate, config: kept }]) => ({
              ...{ name, parent, description, hasMemory: vmstate !== undefined, memory: kept['memory'] },
            }),
          ),
          volumes: world.volumes
            .filter(volume => volume.vmid === vmid)
            .map(({ storage, format, size, parent }) => ({ storage, format, size, parent }))
            .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
          pools: Object.keys(world.pools).filter(pool => world.pools[pool]?.vms.includes(vmid)),
        },
        vmid,
      ),
    ),
    others: Object.values(world.guests).filter(({ vmid }) => !ids.has(vmid)),
    orphans: world.volumes
      .filter(({ vmid }) => vmid !== undefined && !world.guests[vmid])
      .map(({ volid }) => volid),
    isos: world.volumes
      .filter(({ volid }) => volid.includes(':iso/pvr-'))
      .map(({ volid, node }) => `${node ?? 'shared'} ${volid.replace(...ISO_DATA)}`)
      .sort(),
    broken: brokenInvariants(sim),
    defects: sim.defects.all(),
  };
}

/** An ISO of cloud-init data is named for its bytes, which follow from uuid and MAC addresses. */
const ISO_DATA = [/(:iso\/pvr-[a-z2-7]{10})-[0-9a-f]{20}/g, '$1-DATA'] as const;
/** So are those that a mark remembers, in text of JSON in JSON. */
const ISO_SUMS = [/\\"[0-9a-f]{12}\\"/g, '\\"SUM\\"'] as const;

function withoutChance(value: unknown, vmid: number): unknown {
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'UUID')
    .replace(/([0-9A-F]{2}:){5}[0-9A-F]{2}/gi, 'MAC')
    .replace(/disk-\d+/g, 'disk-N')
    .replace(...ISO_DATA)
    .replace(...ISO_SUMS)
    .replaceAll(String(vmid), 'VMID');
  return JSON.parse(text) as unknown;
}

/** Writes to guests that nobody marked as ours before they began. A clone reads its source: it is none. */
export function foreignWrites({ others, simulator }: { others: number[]; simulator: Simulator }): string[] {
  return writes(simulator).filter(line => {
    const vmid = /\/(?:qemu|lxc)\/(\d+)/.exec(line)?.[1];
    return vmid !== undefined && others.includes(Number(vmid)) && !line.endsWith('/clone');
  });
}

/** Everything that was written. */
export function writes({ ledger }: Pick<Simulator, 'ledger'>): string[] {
  return ledger
    .entries()
    .filter(({ write }) => write)
    .map(({ method, path }) => `${method} ${path}`);
}
