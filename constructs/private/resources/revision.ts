import type { ITerraformDependable } from 'cdktf';
import { Lazy } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterView, ClusterOutput } from '../calls/cluster-view';
import { checkedDependsOn } from './depends-on';
import { addressCheck, driftCheck } from './check-blocks';
import { notElsewhere } from './elsewhere';
import { encode } from '../tokens/encode';
import { nodesText } from '../calls/fleet';
import type { Member } from '../calls/machine-view';
import { registryName, revisionName } from './names';
import { Observer } from './observer';
import { entryOf, nameOfEntry } from './registry';
import { entryIn } from './shared-locals';
import { NullResource } from '../stack/null-provider';
import { StackBlock } from '../stack/block';
import { ADDRESSES, variables } from '../calls/queries';

/**
 * The revision of a machine: Terraform replaces it when the spec or what was observed changed, and making it runs
 * `apply`, which changes the guest in place. It runs nothing when it is destroyed.
 */
export function makeRevision(
  cluster: ClusterView,
  scope: Construct,
  member: Member,
  dependsOn: readonly ITerraformDependable[],
): NullResource {
  const own = new Observer(cluster, scope, () => (member.readsManaged() ? [member] : []), member.id);
  const told = (field: ClusterOutput): string =>
    (member.readsManaged() ? own : cluster.observer).told(member.id, field);
  const entry = entryIn(registryName(cluster.name), member.id);
  const lazily = (produce: () => string): string => Lazy.stringValue({ produce });
  const before = [...checkedDependsOn(scope, dependsOn), ...sourcesOf(cluster, member)];
  const revision = new NullResource(scope, 'revision', {
    triggers: {
      registry: nameOfEntry(entry),
      spec: lazily(() => encode(member.spec())),
      token: lazily(() => `\${${told('token')}}`),
    },
    ...(before.length > 0 && { dependsOn: before }),
  });
  revision.overrideLogicalId(revisionName(cluster.name, member.id));
  revision.addOverride('lifecycle.precondition', [
    {
      condition: `\${${entry}.triggers.owner == "${cluster.owner}"}`,
      error_message: `machine ${member.id}: its owner was \${${entry}.triggers.owner}, is now ${cluster.owner}. Nothing was changed. Give the ProxmoxCluster owner: "\${${entry}.triggers.owner}" to keep the machine.`,
    },
    {
      condition: lazily(() => `\${${told('refusal')} == ""}`),
      error_message: lazily(() => `machine ${member.id}: \${${told('refusal')}}`),
    },
    notElsewhere(cluster, member.id),
  ]);
  revision.addOverride('provisioner', [applies(cluster, member, own)]);
  new StackBlock(scope, 'drift', () => driftCheck(cluster.name, member, () => told('drift')));
  new StackBlock(scope, 'address', () => addressCheck(cluster, member, () => told('status')));
  const moved = movesOf(cluster, member);
  if (moved.length > 0) new StackBlock(scope, 'moved', () => ({ moved }));
  return revision;
}

/** A clone is made after the machines that it may be cloned from. */
function sourcesOf({ name }: ClusterView, member: Member): ITerraformDependable[] {
  return member.sources.map(source => ({ fqn: `null_resource.${revisionName(name, source)}` }));
}

/** The provisioner that brings the machine to its spec. */
function applies(cluster: ClusterView, member: Member, own: Observer): object {
  const environment = Lazy.anyValue({ produce: () => environmentOf(cluster, member, own) });
  return { 'local-exec': { interpreter: cluster.program, command: 'apply', environment } };
}

function environmentOf(cluster: ClusterView, member: Member, own: Observer): Record<string, string> {
  const nodes = nodesText(cluster);
  return {
    ...variables(cluster),
    ...(nodes !== undefined && { PROXMOX_FLEET: nodes }),
    PROXMOX_OWNER: cluster.owner,
    PROXMOX_MACHINE: member.id,
    ...(member.readsAddress() && { PROXMOX_READS: ADDRESSES }),
    // the shared observer reads nothing that a plan does not know: it is always read in the plan
    ...(member.readsManaged() && {
      PROXMOX_UNSHOWN: `\${contains(["", ${cluster.observer.walk()}], ${own.walk()}) ? "" : "unshown"}`,
    }),
    PROXMOX_ENTRY: '${self.triggers.registry}',
    PROXMOX_SPEC: '${self.triggers.spec}',
    PROXMOX_TOKEN: '${self.triggers.token}',
  };
}

/** Former ids as a chain: whichever of them a state knows, it ends at the id of today. */
function movesOf(cluster: ClusterView, { id, formerIds }: Member): { from: string; to: string }[] {
  const revision = (machine: string): string => `null_resource.${revisionName(cluster.name, machine)}`;
  return formerIds.flatMap((former, place) => {
    const next = formerIds[place + 1] ?? id;
    return [
      { from: entryOf(cluster, former), to: entryOf(cluster, next) },
      { from: revision(former), to: revision(next) },
    ];
  });
}
