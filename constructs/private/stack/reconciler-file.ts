import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { SpecError } from '../../values/spec-error';
import { StackFile } from './file';

const ID = 'proxmox-reconciler';

/** The program line that starts the reconciler which travels with the stack of a construct. */
export function reconcilerProgram(scope: Construct): string[] {
  const stack = TerraformStack.of(scope);
  const there = stack.node.tryFindChild(ID);
  const file = there instanceof StackFile ? there : reconcilerFile(stack);
  return ['node', file.inTerraform];
}

function reconcilerFile(stack: TerraformStack): StackFile {
  // cdktf's own tests-of-stacks mode: what changes with each build is left out of the output.
  if (stack.node.tryGetContext('cdktfVersion') === 'stubbed') {
    return new StackFile(stack, ID, 'proxmox/reconciler.stubbed.cjs', () => '');
  }
  const content = readFileSync(bundle(stack));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return new StackFile(stack, ID, `proxmox/reconciler.${hash}.cjs`, () => content);
}

function bundle(stack: TerraformStack): string {
  // beside the compiled package, or in dist/ of the sources
  const places = ['../../../reconciler.cjs', '../../../dist/reconciler.cjs'].map(place =>
    path.join(__dirname, place),
  );
  const found = places.find(place => existsSync(place));
  if (found !== undefined) return found;
  throw SpecError.at(
    stack,
    'the reconciler is missing from the package: dist/reconciler.cjs. Install the package again, or run "npm run build" in its sources.',
  );
}
