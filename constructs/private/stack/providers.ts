import { Aspects, TerraformProvider, type TerraformStack } from 'cdktf';
import { sharedMap } from '../copies';
import { NullProvider } from './null-provider';

const ENGINE = '>= 1.9.0';

// Blocks `removed` with a provisioner came with Terraform 1.9 and OpenTofu 1.10: one number stands for both.
const ENGINE_THAT_REMOVES = '>= 1.10.0';

// From these versions on the stacks are tested; the bindings of the null provider would ask for exactly one version.
const REQUIRED = {
  null: { source: 'hashicorp/null', version: '>= 1.0.0' },
  external: { source: 'hashicorp/external', version: '>= 1.2.0' },
};

const PREPARED = sharedMap<TerraformStack, true>('stacks with providers');

/**
 * Makes the stack require the null and external providers. The provider that a person configures is used, wherever
 * in the program it is made; without one the stack gets its own when it is synthesized. May be called again.
 */
export function requireProviders(stack: TerraformStack): void {
  if (PREPARED.has(stack)) return;
  PREPARED.set(stack, true);
  stack.addOverride('terraform.required_providers', REQUIRED);
  stack.addOverride('terraform.required_version', ENGINE);
  Aspects.of(stack).add({
    visit: node => {
      if (node === stack && !hasNull(stack)) new NullProvider(stack, ownId(stack));
    },
  });
}

/** The same, in a stack that holds a block `removed` with a provisioner. */
export function requireRemoval(stack: TerraformStack): void {
  requireProviders(stack);
  stack.addOverride('terraform.required_version', ENGINE_THAT_REMOVES);
}

// Not `instanceof`: a person's provider may come from another copy of its bindings.
function hasNull(stack: TerraformStack): boolean {
  return stack.node
    .findAll()
    .some(node => TerraformProvider.isTerraformProvider(node) && node.terraformResourceType === 'null');
}

function ownId(stack: TerraformStack): string {
  return stack.node.tryFindChild('null') === undefined ? 'null' : 'proxmox-null-provider';
}
