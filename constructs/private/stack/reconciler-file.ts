import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { SpecError } from '../../values/spec-error';
import { noteCopy, refuseOtherVersion, sharedMap } from '../copies';
import { StackFile } from './file';

const PROGRAMS = sharedMap<TerraformStack, string>('programs of a stack');

const ID = 'proxmox-reconciler';

/** What Terraform calls, and what that finds beside itself by its own name: all the rest of the reconciler. */
const CALLED = 'reconciler';
const PROGRAM = 'reconciler-program';

/** The program line that starts the reconciler which travels with the stack of a construct. */
export function reconcilerProgram(scope: Construct): string[] {
  const stack = TerraformStack.of(scope);
  const there = PROGRAMS.get(stack);
  if (there !== undefined) {
    refuseOtherVersion(scope, stack);
    return ['node', there];
  }
  noteCopy(stack);
  const { inTerraform } = reconcilerFile(stack);
  PROGRAMS.set(stack, inTerraform);
  return ['node', inTerraform];
}

function reconcilerFile(stack: TerraformStack): StackFile {
  // cdktf's own tests-of-stacks mode: what changes with each build is left out of the output.
  const isStubbed = stack.node.tryGetContext('cdktfVersion') === 'stubbed';
  const [called, program] = [CALLED, PROGRAM].map(name =>
    isStubbed ? Buffer.from('') : readFileSync(bundled(stack, name)),
  );
  const hash = createHash('sha256')
    .update(called ?? '')
    .update(program ?? '');
  const version = isStubbed ? 'stubbed' : hash.digest('hex').slice(0, 12);
  const shipped = (id: string, name: string, content = Buffer.from('')): StackFile =>
    new StackFile(stack, id, `proxmox/${name}.${version}.cjs`, () => content);
  shipped(`${ID}-program`, PROGRAM, program);
  return shipped(ID, CALLED, called);
}

function bundled(stack: TerraformStack, name: string): string {
  // beside the compiled package, or in dist/ of the sources
  const places = [`../../../${name}.cjs`, `../../../dist/${name}.cjs`].map(place =>
    path.join(__dirname, place),
  );
  const found = places.find(place => existsSync(place));
  if (found !== undefined) return found;
  throw SpecError.at(
    stack,
    `the reconciler is missing from the package: dist/${name}.cjs. Install the package again, or run "npm run build" in its sources.`,
  );
}
