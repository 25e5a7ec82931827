import type { IConstruct } from 'constructs';
import { SpecError } from '../../values/spec-error';

/** Refuses the loops of Terraform on a machine, which programs without types may try. */
export function refuseLoop(construct: IConstruct, props: object): void {
  const given = ['forEach', 'count'].find(name => Object.hasOwn(props, name));
  if (given === undefined) return;
  throw SpecError.at(
    construct,
    `${given}: a machine cannot be in a loop of Terraform (TerraformIterator, TerraformCount), as its id is part of addresses. Write a loop in TypeScript, one Machine for each.`,
  );
}
