import { Lazy, type ITerraformDependable } from 'cdktf';
import type { Construct } from 'constructs';
import { canonical } from '../../../spec';
import type { ClusterView } from '../calls/cluster-view';
import { variables } from '../calls/queries';
import type { SnapshotMember } from '../calls/snapshot-view';
import { NullResource } from '../stack/null-provider';
import { StackBlock } from '../stack/block';
import { literal } from '../tokens/encode';
import { checkedDependsOn } from './depends-on';
import { revisionName, snapshotRegistryName, snapshotRevisionName } from './names';
import { nameOfEntry } from './registry';
import { entryIn } from './shared-locals';
import { snapshotEntryOf } from './snapshot-registry';

/**
 * The revision of a snapshot: Terraform replaces it when its words changed or it is not there, and making it takes or
 * describes the snapshot, once the machine is as wanted. It runs nothing when it is destroyed.
 */
export function makeSnapshotRevision(
  cluster: ClusterView,
  scope: Construct,
  snapshot: SnapshotMember,
  dependsOn: readonly ITerraformDependable[],
): NullResource {
  const { machine, key } = snapshot;
  const entry = entryIn(snapshotRegistryName(cluster.name), key);
  const told = (field: 'token' | 'refusal'): string => cluster.observer.told(`snapshot.${key}`, field);
  const revision = new NullResource(scope, 'revision', {
    triggers: {
      registry: nameOfEntry(entry),
      spec: literal(canonical(snapshot.spec())),
      token: Lazy.stringValue({ produce: () => `\${${told('token')}}` }),
    },
    dependsOn: [
      ...checkedDependsOn(scope, dependsOn),
      { fqn: `null_resource.${revisionName(cluster.name, machine)}` },
    ],
  });
  revision.overrideLogicalId(snapshotRevisionName(cluster.name, snapshot));
  const refusal = (): string => `\${${told('refusal')}}`;
  revision.addOverride('lifecycle.precondition', [
    {
      condition: `\${${entry}.triggers.owner == "${cluster.owner}"}`,
      error_message: `snapshot ${key}: its owner was \${${entry}.triggers.owner}, is now ${cluster.owner}. Nothing was changed. Give the ProxmoxCluster owner: "\${${entry}.triggers.owner}" to keep it.`,
    },
    {
      condition: Lazy.stringValue({ produce: () => `\${${told('refusal')} == ""}` }),
      error_message: Lazy.stringValue({ produce: () => `snapshot ${key}: ${refusal()}` }),
    },
  ]);
  const environment = Lazy.anyValue({ produce: () => environmentOf(cluster, snapshot) });
  revision.addOverride('provisioner', [
    { 'local-exec': { interpreter: cluster.program, command: 'apply', environment } },
  ]);
  new StackBlock(scope, 'moved', () => movedBlock(cluster, snapshot));
  return revision;
}

function environmentOf(cluster: ClusterView, { machine }: SnapshotMember): Record<string, string> {
  const former = formerIdsOf(cluster, machine);
  return {
    ...variables(cluster),
    PROXMOX_OWNER: cluster.owner,
    PROXMOX_MACHINE: machine,
    PROXMOX_ENTRY: '${self.triggers.registry}',
    PROXMOX_SNAPSHOT: '${self.triggers.spec}',
    PROXMOX_TOKEN: '${self.triggers.token}',
    ...(former.length > 0 && { PROXMOX_FORMER: JSON.stringify(former) }),
  };
}

/** The snapshots of a machine that was renamed keep their entries: none is deleted. */
function movedBlock(cluster: ClusterView, { machine, name }: SnapshotMember): { moved?: object[] } {
  const chain = [...formerIdsOf(cluster, machine), machine];
  const entry = (id: string): string => snapshotEntryOf(cluster, `${id}.${name}`);
  const revision = (id: string): string =>
    `null_resource.${snapshotRevisionName(cluster.name, { machine: id, name })}`;
  const moved = chain.slice(1).flatMap((next, place) => {
    const former = chain[place] ?? next;
    return [
      { from: entry(former), to: entry(next) },
      { from: revision(former), to: revision(next) },
    ];
  });
  return moved.length > 0 ? { moved } : {};
}

function formerIdsOf({ members }: ClusterView, machine: string): readonly string[] {
  return members.find(({ id }) => id === machine)?.formerIds ?? [];
}
