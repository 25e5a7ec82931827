import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import type { ClusterSpec, NodeSpec } from '../../../spec';
import { SpecError } from '../../values/spec-error';
import type { ClusterView, ExistingMember } from '../calls/cluster-view';
import { sharedMap } from '../copies';
import { DesiredStateFile } from './desired-state-file';
import { Facts } from '../resources/facts';
import type { Member } from '../calls/machine-view';
import { NodeCounts } from '../resources/node-counts';
import { provenCheck } from '../resources/check-blocks';
import { elsewhere } from '../resources/elsewhere';
import { Observer } from '../resources/observer';
import type { NullResource } from '../stack/null-provider';
import { requireProviders } from '../stack/providers';
import { StackBlock } from '../stack/block';
import { reconcilerProgram } from '../stack/reconciler-file';
import { makeRegistry } from '../resources/registry';
import { makeSnapshotRegistry } from '../resources/snapshot-registry';
import { sharedLocals } from '../resources/shared-locals';
import type { SnapshotMember } from '../calls/snapshot-view';

const OF_CONSTRUCT = sharedMap<Construct, Cluster>('clusters');

/** What the parts of one cluster in a stack share: who owns it, how it is reached, its machines. */
export class Cluster implements ClusterView {
  /** The cluster that a construct stands for. */
  static of(construct: Construct): Cluster {
    const cluster = OF_CONSTRUCT.get(construct);
    if (cluster === undefined) throw SpecError.at(construct, 'is no ProxmoxCluster.');
    return cluster;
  }

  readonly stack: TerraformStack;
  readonly program: readonly string[];
  readonly registry: NullResource;
  /** What is said about nodes, by their names. */
  readonly nodes: NodeSpec[] = [];
  readonly facts: Facts;
  readonly counts: NodeCounts;
  private readonly byId = new Map<string, Member>();
  private readonly onlyRead = new Map<string, ExistingMember>();
  private readonly byKey = new Map<string, SnapshotMember>();
  private readonly shared: Observer;

  constructor(
    readonly scope: Construct,
    readonly name: string,
    readonly owner: string,
    readonly defaults: Readonly<Record<string, unknown>>,
    readonly spec: () => ClusterSpec,
  ) {
    OF_CONSTRUCT.set(scope, this);
    this.stack = TerraformStack.of(scope);
    this.program = reconcilerProgram(scope);
    requireProviders(this.stack);
    this.registry = makeRegistry(this);
    makeSnapshotRegistry(this, this.registry);
    this.shared = new Observer(this, scope, () => this.members.filter(member => !member.readsManaged()));
    new StackBlock(scope, 'proven', () => provenCheck(this));
    new StackBlock(scope, 'locals', () => sharedLocals(this));
    new StackBlock(scope, 'elsewhere', () => (this.byId.size > 0 ? elsewhere(this) : {}));
    new DesiredStateFile(this);
    this.facts = new Facts(this, scope);
    this.counts = new NodeCounts(this);
  }

  /** The machines, in the order of their ids. */
  get members(): Member[] {
    return [...this.byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Takes a machine in. Its id must be new. */
  add(member: Member): void {
    const there = this.byId.get(member.id);
    if (there !== undefined) {
      throw new SpecError(
        member.path,
        `the id '${member.id}' is taken by ${there.path}. Ids are unique in a cluster: give one of both another "id".`,
      );
    }
    this.byId.set(member.id, member);
  }

  get snapshots(): SnapshotMember[] {
    return [...this.byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Takes a snapshot in: of a machine that may be written to, and the only one of its name there. */
  addSnapshot(construct: Construct, snapshot: SnapshotMember): void {
    const there = this.byKey.get(snapshot.key);
    if (there !== undefined) {
      throw SpecError.at(
        construct,
        `name: ${there.path} is the snapshot '${snapshot.name}' of '${snapshot.machine}' already. Give another name.`,
      );
    }
    this.byKey.set(snapshot.key, snapshot);
  }

  get existing(): ExistingMember[] {
    return [...this.onlyRead.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Takes in a guest that is only read. Its id must be new among them. */
  addExisting(member: ExistingMember): void {
    const there = this.onlyRead.get(member.id);
    if (there !== undefined) {
      throw new SpecError(
        member.path,
        `the id '${member.id}' is taken by ${there.path}. Give one of both another "id".`,
      );
    }
    this.onlyRead.set(member.id, member);
  }

  /** The observer that all machines share which Terraform knows at plan. */
  get observer(): Observer {
    return this.shared;
  }
}
