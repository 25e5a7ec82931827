import { NullProvider } from '@cdktf/provider-null/lib/provider';
import type { TerraformStack } from 'cdktf';

// Blocks `removed` with a provisioner came with 1.9.
const ENGINE = '>= 1.9.0';

// From these versions on the stacks are tested; the bindings of the null provider would ask for exactly one version.
const REQUIRED = {
  null: { source: 'hashicorp/null', version: '>= 1.0.0' },
  external: { source: 'hashicorp/external', version: '>= 1.2.0' },
};

/** Makes the stack require the null and external providers. May be called again. */
export function requireProviders(stack: TerraformStack): void {
  stack.addOverride('terraform.required_providers', REQUIRED);
  stack.addOverride('terraform.required_version', ENGINE);
  const present = stack.node.findAll().some(node => node instanceof NullProvider);
  if (!present) new NullProvider(stack, 'null');
}
