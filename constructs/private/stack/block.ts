import { TerraformElement } from 'cdktf';
import type { Construct } from 'constructs';

/** A block at the top of the stack for which cdktf has no class, such as `moved` and `removed`. */
export class StackBlock extends TerraformElement {
  constructor(
    scope: Construct,
    id: string,
    private readonly block: () => Record<string, unknown>,
  ) {
    super(scope, id);
  }

  override toTerraform(): Record<string, unknown> {
    return this.block();
  }
}
