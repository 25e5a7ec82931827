import type { Construct } from 'constructs';
import { parseSnapshot, type SnapshotSpec } from '../../../spec';
import type { SnapshotMember } from '../calls/snapshot-view';
import { checkedProps } from '../checked-props';
import { literalOnly } from '../tokens/literal-only';

/** What a program wants of one snapshot: checked when it is made. */
export class WantedSnapshot implements SnapshotMember {
  readonly path: string;
  readonly name: string;

  constructor(
    construct: Construct,
    readonly machine: string,
    private readonly said: Omit<SnapshotSpec, 'machine'>,
  ) {
    this.path = construct.node.path;
    for (const [field, value] of Object.entries(said)) literalOnly(construct, field, value);
    checkedProps(this.path, this.spec(), parseSnapshot);
    this.name = said.name;
  }

  get key(): string {
    return `${this.machine}.${this.name}`;
  }

  spec(): SnapshotSpec {
    return { machine: this.machine, ...this.said };
  }
}
