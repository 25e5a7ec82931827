import { ref, type IResolvable } from 'cdktf';
import type { Construct } from 'constructs';
import { parseExisting } from '../../../spec';
import type { ClusterView, ExistingMember } from '../calls/cluster-view';
import { queryOf } from '../calls/queries';
import { StackBlock } from '../stack/block';
import { ExternalData } from '../stack/external-data';
import { checkedProps } from '../checked-props';
import { encode } from '../tokens/encode';
import { literalOnly } from '../tokens/literal-only';
import { readsManaged } from '../tokens/reads-managed';
import type { Taken } from '../tokens/tokens';
import { existingName } from './names';

/** What a cluster knows of the guests that are only read. */
type Readers = ClusterView & { addExisting(member: ExistingMember): void };

/** A guest that is only read, or several: their data source, and what the stack reads of it. */
export class ExistingData implements ExistingMember {
  readonly path: string;
  readonly id: string;
  private readonly name: string;
  private readonly said: Taken;
  private isAddressRead = false;

  constructor(
    private readonly cluster: Readers,
    scope: Construct,
    fields: { readonly id: string } & Readonly<Record<string, unknown>>,
  ) {
    this.path = scope.node.path;
    this.id = literalOnly(scope, 'id', fields.id);
    this.said = checkedProps(this.path, fields, parseExisting);
    this.name = existingName(cluster.name, this.id);
    cluster.addExisting(this);
    const data = new ExternalData(scope, 'existing', {
      name: this.name,
      program: [...cluster.program, 'facts'],
      reads: this.said.tokens,
      query: () => ({ ...queryOf(cluster), existing: encode(this.said) }),
    });
    // a condition fails a plan, and lets a destroy go on: an exit code would hold up both
    data.addOverride('lifecycle.postcondition', [
      {
        condition: '${self.result.problem == ""}',
        error_message: `existing ${this.id}: \${self.result.problem}`,
      },
    ]);
    new StackBlock(scope, 'address', () => this.addressCheck());
  }

  spec(): Taken {
    return this.said;
  }

  /** A part of what is reported, such as `.vmid`. */
  value(path: string): IResolvable {
    return this.expression(all => `${all}${path}`);
  }

  /** The same of what holds addresses: where one is not known, each plan warns and says why. */
  address(path: string): IResolvable {
    this.readsAddress();
    return this.value(path);
  }

  readsAddress(): void {
    this.isAddressRead = true;
  }

  /** What an expression makes of what is reported. */
  expression(of: (outputs: string) => string): IResolvable {
    return ref(of(`jsondecode(data.external.${this.name}.result.outputs)`), this.cluster.stack);
  }

  private addressCheck(): Record<string, unknown> {
    // Terraform warns of a check that it cannot decide yet
    if (!this.isAddressRead || readsManaged(this.cluster.stack, this.said.tokens)) return {};
    const why = `data.external.${this.name}.result.whyNoAddress`;
    const assert = [
      { condition: `\${${why} == ""}`, error_message: `existing ${this.id}: no address: \${${why}}.` },
    ];
    return { check: { [this.name]: { assert } } };
  }
}
