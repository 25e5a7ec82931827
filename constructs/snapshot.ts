import { TerraformStack, type ITerraformDependable } from 'cdktf';
import { Construct } from 'constructs';
import { Cluster } from './private/cluster/cluster';
import { WantedSnapshot } from './private/cluster/wanted-snapshot';
import { isOfKind, refuseOtherVersion, wordsOf } from './private/copies';
import { makeSnapshotRevision } from './private/resources/snapshot-revision';
import type { NullResource } from './private/stack/null-provider';
import type { SnapshotProps } from './snapshot-props';
import { SpecError } from './values/spec-error';

/**
 * A snapshot of a machine, taken once, after the machine is as its spec says. Where the program changes its words, they
 * are written to the snapshot that is there. The machine's `mode` holds for it too, but for its removal: use
 * `onDestroy: 'keep'`, applied before the mode changes.
 */
export class Snapshot extends Construct implements ITerraformDependable {
  /** What Proxmox calls it. */
  readonly snapshotName: string;
  private readonly revision: NullResource;

  constructor(scope: Construct, id: string, props: SnapshotProps) {
    super(scope, id);
    const { machine, dependsOn = [], ...said } = props;
    if (!isOfKind(machine, 'Machine')) {
      throw SpecError.at(this, `machine: ${wordsOf(machine)} is no Machine. Give the construct.`);
    }
    refuseOtherVersion(this, machine);
    const [home, stack] = [TerraformStack.of(machine), TerraformStack.of(this)];
    if (home !== stack) {
      throw SpecError.at(
        this,
        `its machine ${machine.node.path} is of the stack '${home.node.id}'. Make the snapshot in that stack.`,
      );
    }
    const parts = Cluster.of(machine.cluster);
    const wanted = new WantedSnapshot(this, machine.machineId, { name: id, ...said });
    this.snapshotName = wanted.name;
    parts.addSnapshot(this, wanted);
    this.revision = makeSnapshotRevision(parts, this, wanted, dependsOn);
  }

  /** What `dependsOn` of another resource waits for: the snapshot is taken. */
  get fqn(): string {
    return this.revision.fqn;
  }
}
