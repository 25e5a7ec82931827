import { Lazy } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterView } from '../calls/cluster-view';
import { registryName } from './names';
import { idsOf } from './shared-locals';
import { NullResource } from '../stack/null-provider';
import { StackBlock } from '../stack/block';
import { variables } from '../calls/queries';

/**
 * The registry of a cluster: one entry a machine, which runs `destroy` when it leaves.
 * Nothing of the spec is in it and its triggers never count, so no change of the program can replace an entry.
 */
export function makeRegistry(cluster: ClusterView): NullResource {
  const registry = new NullResource(cluster.scope, 'registry', {
    triggers: { owner: cluster.owner, machine: '${each.key}', entry: DRAWN },
    lifecycle: { ignoreChanges: ['triggers'] },
  });
  registry.overrideLogicalId(registryName(cluster.name));
  registry.addOverride('for_each', idsOf(registryName(cluster.name)));
  registry.addOverride('provisioner', provisionersOf(cluster, '${each.key}'));
  return registry;
}

/** The trigger that names an entry for good: drawn when it is made, and then ignored. */
export const DRAWN = '${uuid()}';

/**
 * What names an entry to the reconciler. The null provider draws its ids from a row that begins with the second, so that
 * states of one second would share them. An entry from before has its id alone.
 */
export function nameOfEntry(entry: string): string {
  return `\${${nameIn(entry)}}`;
}

/** The same within an expression. */
export function nameIn(entry: string): string {
  return `lookup(${entry}.triggers, "entry", ${entry}.id)`;
}

/** The address of a machine's entry. */
export function entryOf(cluster: ClusterView, machine: string): string {
  return `null_resource.${registryName(cluster.name)}["${machine}"]`;
}

/** The block that destroys every machine of a cluster that has left the program. */
export function removedRegistry(scope: Construct, cluster: Reached): void {
  new StackBlock(scope, 'removed', () => ({
    removed: [
      {
        from: `null_resource.${registryName(cluster.name)}`,
        lifecycle: { destroy: true },
        // no key can be named here: after a rename the entry's own id finds the guest
        provisioner: provisionersOf(cluster, '${self.triggers.machine}', { PROXMOX_MAY_BE_RENAMED: 'yes' }),
      },
    ],
  }));
}

type Reached = Pick<ClusterView, 'name' | 'program' | 'spec'>;

// The registry names a machine by its key, not its trigger: after a rename the trigger still holds the former id.
function provisionersOf(cluster: Reached, machine: string, more: Record<string, string> = {}): object[] {
  const environment = Lazy.anyValue({
    produce: () => ({
      ...variables(cluster),
      PROXMOX_OWNER: '${self.triggers.owner}',
      PROXMOX_MACHINE: machine,
      PROXMOX_ENTRY: nameOfEntry('self'),
      ...more,
    }),
  });
  return [
    { 'local-exec': { when: 'destroy', interpreter: cluster.program, command: 'destroy', environment } },
  ];
}
