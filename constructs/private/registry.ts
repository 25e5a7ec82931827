import { Resource } from '@cdktf/provider-null/lib/resource';
import { Lazy } from 'cdktf';
import type { ClusterView } from './cluster-view';
import { registryName } from './names';
import { variables } from './wire';

/**
 * The registry of a cluster: one entry a machine, which runs `destroy` when it leaves.
 * Nothing of the spec is in it and its triggers never count, so no change of the program can replace an entry.
 */
export function makeRegistry(cluster: ClusterView): Resource {
  const environment = Lazy.anyValue({ produce: () => environmentOf(cluster) });
  const registry = new Resource(cluster.scope, 'registry', {
    triggers: { owner: cluster.owner, machine: '${each.key}' },
    lifecycle: { ignoreChanges: ['triggers'] },
  });
  registry.overrideLogicalId(registryName(cluster.name));
  registry.addOverride('for_each', Lazy.stringValue({ produce: () => setOf(cluster.members) }));
  registry.addOverride('provisioner', [
    {
      'local-exec': { when: 'destroy', interpreter: cluster.program, command: 'destroy', environment },
    },
  ]);
  return registry;
}

/** The entry of a machine, as an expression. */
export function entryOf(cluster: ClusterView, machine: string): string {
  return `null_resource.${registryName(cluster.name)}["${machine}"]`;
}

function setOf(members: readonly { id: string }[]): string {
  return `\${toset([${members.map(({ id }) => `"${id}"`).join(', ')}])}`;
}

// The key, not the trigger: after a rename the trigger still holds the former id.
function environmentOf(cluster: ClusterView): Record<string, string> {
  return {
    ...variables(cluster),
    PROXMOX_OWNER: '${self.triggers.owner}',
    PROXMOX_MACHINE: '${each.key}',
    PROXMOX_ENTRY: '${self.id}',
  };
}
