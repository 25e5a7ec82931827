// @ts-check
import path from 'node:path';
import { NullProvider } from '@cdktf/provider-null/lib/provider/index.js';
import { Resource } from '@cdktf/provider-null/lib/resource/index.js';
import { App, LocalBackend, TerraformStack } from 'cdktf';

/** Writes the demo's stack below the folder and gives the folder Terraform runs in. @param {string} outdir */
export function synthesize(outdir) {
  const app = new App({ outdir });
  const stack = new TerraformStack(app, 'demo');
  new LocalBackend(stack, { path: path.join(outdir, 'terraform.tfstate') });
  new NullProvider(stack, 'null');
  new Resource(stack, 'placeholder', { triggers: { machine: 'a machine will stand here' } });
  // The bindings ask for exactly one version; any since 1.0 does.
  stack.addOverride('terraform.required_providers.null.version', '>= 1.0.0');
  app.synth();
  return path.join(outdir, 'stacks', 'demo');
}
