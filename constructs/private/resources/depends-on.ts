import type { ITerraformDependable } from 'cdktf';
import type { Construct } from 'constructs';
import { SpecError } from '../../values/spec-error';
import { wordsOf } from '../copies';

/** What a program without types may give is refused here: Terraform would get an empty name, and not say whose. */
export function checkedDependsOn(
  construct: Construct,
  dependsOn: readonly ITerraformDependable[],
): readonly ITerraformDependable[] {
  const entries: readonly unknown[] = dependsOn;
  const at = entries.findIndex(entry => !hasAddress(entry));
  if (at < 0) return dependsOn;
  throw SpecError.at(
    construct,
    `dependsOn[${at}]: ${wordsOf(entries[at])} is nothing that Terraform can wait for; allowed: constructs, such as a Machine or a resource of a provider. Give the construct itself, not its name.`,
  );
}

function hasAddress(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && 'fqn' in entry && typeof entry.fqn === 'string';
}
