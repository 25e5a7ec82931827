import type { IConstruct } from 'constructs';
import { programLine } from './program-line';

/** What a program says is wrong. Nothing was synthesized; mend the program and run it again. */
export class SpecError extends Error {
  override readonly name = 'SpecError';

  /** `detail` names the value, what is allowed and what to do. */
  constructor(
    readonly constructPath: string,
    readonly detail: string,
  ) {
    const line = programLine();
    super(`${line === undefined ? '' : `${line}: `}${constructPath}: ${detail}`);
    // Whoever sees it in a terminal needs the sentence, once: not the calls within us, nor its parts again below it.
    this.stack = `${this.name}: ${this.message}`;
    const hidden = { enumerable: false };
    Object.defineProperties(this, { constructPath: hidden, detail: hidden });
  }

  /** The error of a construct. */
  static at(construct: IConstruct, detail: string): SpecError {
    return new SpecError(construct.node.path, detail);
  }
}
