import {
  hashMapper,
  stringToTerraform,
  TerraformProvider,
  TerraformResource,
  type TerraformMetaArguments,
} from 'cdktf';
import type { Construct } from 'constructs';

// Bindings for cdktn change with each of its minor versions: an app would have to bring the one that fits. Hence these two.
// The name lets the framework see that a resource has its provider. The versions are those of `@cdktf/provider-null`.
const OF_PROVIDER = {
  terraformGeneratorMetadata: {
    providerName: 'null',
    providerVersion: '3.2.4',
    providerVersionConstraint: '~> 3.0',
  },
};

/** The provider of the null resource, written as `@cdktf/provider-null` writes it. It has no options. */
export class NullProvider extends TerraformProvider {
  constructor(scope: Construct, id: string) {
    super(scope, id, { terraformResourceType: 'null', terraformProviderSource: 'null', ...OF_PROVIDER });
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return {};
  }
}

export interface NullResourceConfig extends TerraformMetaArguments {
  /** When one of these texts changes, Terraform replaces the resource. */
  readonly triggers?: Readonly<Record<string, string>>;
}

/** A resource that only holds triggers, written as `@cdktf/provider-null` writes it. */
export class NullResource extends TerraformResource {
  private readonly triggers: NullResourceConfig['triggers'];

  constructor(scope: Construct, id: string, { triggers, ...meta }: NullResourceConfig = {}) {
    super(scope, id, { terraformResourceType: 'null_resource', ...OF_PROVIDER, ...meta });
    this.triggers = triggers;
  }

  /** Known once it is made. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { triggers: hashMapper(stringToTerraform)(this.triggers) };
  }
}
