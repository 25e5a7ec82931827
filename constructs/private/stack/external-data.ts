import { TerraformDataSource } from 'cdktf';
import type { Construct } from 'constructs';

export interface ExternalDataConfig {
  /** The name in Terraform: `data.external.<name>`. */
  readonly name: string;
  readonly program: readonly string[];
  /** Asked for at synth; without an answer the data source is left out of the stack. */
  readonly query: () => Record<string, string> | undefined;
  /** The values of Terraform in its query, where it waits for nothing else. */
  readonly reads?: readonly unknown[];
  /** What must be applied before it is read. Asked for when it is made, and again at synth. */
  readonly after?: () => string[];
}

/** A data source of the external provider: Terraform starts a program and reads its answer at every plan. */
export class ExternalData extends TerraformDataSource {
  private query: Record<string, string> | undefined;

  constructor(
    scope: Construct,
    id: string,
    private readonly config: ExternalDataConfig,
  ) {
    super(scope, id, { terraformResourceType: 'external' });
    this.overrideLogicalId(config.name);
    this.order();
  }

  get reads(): readonly unknown[] | undefined {
    return this.config.reads;
  }

  override toTerraform(): object {
    this.order();
    this.query = this.config.query();
    return this.query === undefined ? {} : super.toTerraform();
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { program: this.config.program, query: this.query };
  }

  private order(): void {
    if (this.config.after !== undefined) this.dependsOn = this.config.after();
  }
}
