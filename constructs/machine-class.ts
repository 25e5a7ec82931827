import type { MachineClass as ClassSpec } from '../spec';
import { parseMachineClass } from '../spec';
import type { MachineClassProps } from './machine-class-props';
import { literalProps } from './private/tokens/literal-only';

/** A size of machine that many machines name. What a machine says itself wins. */
export class MachineClass {
  /** What it says, checked. */
  readonly spec: ClassSpec;

  constructor(props: MachineClassProps) {
    this.spec = literalProps(`MachineClass ${props.name}`, props, parseMachineClass);
  }
}
