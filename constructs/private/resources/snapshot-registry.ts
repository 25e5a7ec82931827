import { Lazy, type ITerraformDependable } from 'cdktf';
import type { ClusterView } from '../calls/cluster-view';
import { variables } from '../calls/queries';
import { snapshotRegistryName } from './names';
import { idsOf } from './shared-locals';
import { DRAWN, nameOfEntry } from './registry';
import { NullResource } from '../stack/null-provider';

/**
 * The registry of a cluster's snapshots: one entry each, which deletes the snapshot when it leaves. It stands below the
 * registry of the machines, so that a snapshot goes before its machine does.
 */
export function makeSnapshotRegistry(cluster: ClusterView, machines: ITerraformDependable): NullResource {
  const registry = new NullResource(cluster.scope, 'snapshots', {
    triggers: { owner: cluster.owner, snapshot: '${each.key}', entry: DRAWN },
    lifecycle: { ignoreChanges: ['triggers'] },
    dependsOn: [machines],
  });
  registry.overrideLogicalId(snapshotRegistryName(cluster.name));
  registry.addOverride('for_each', idsOf(snapshotRegistryName(cluster.name)));
  const environment = Lazy.anyValue({
    produce: () => ({
      ...variables(cluster),
      PROXMOX_OWNER: '${self.triggers.owner}',
      PROXMOX_MACHINE: '${split(".", each.key)[0]}',
      PROXMOX_SNAPSHOT: '${split(".", each.key)[1]}',
      PROXMOX_ENTRY: nameOfEntry('self'),
    }),
  });
  registry.addOverride('provisioner', [
    { 'local-exec': { when: 'destroy', interpreter: cluster.program, command: 'destroy', environment } },
  ]);
  return registry;
}

/** The address of a snapshot's entry. */
export function snapshotEntryOf(cluster: ClusterView, key: string): string {
  return `null_resource.${snapshotRegistryName(cluster.name)}["${key}"]`;
}
