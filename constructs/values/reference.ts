import { noteKind } from '../private/copies';

/** Where the reconciler reads a secret when it needs it. The secret itself never stands in a program or a state. */
export class Reference {
  private constructor(private readonly spec: Readonly<Record<string, string>>) {
    noteKind(this, 'Reference');
  }

  /** An environment variable of whoever runs Terraform. */
  static fromEnvironment(name: string): Reference {
    return new Reference({ environment: name });
  }

  /** A file where Terraform runs, by its path. */
  static fromFile(path: string): Reference {
    return new Reference({ file: path });
  }

  /** Throws: a secret that is read later can stand in no text. */
  toString(): never {
    throw new TypeError(
      `A Reference (${JSON.stringify(this.spec)}) stands in a text, which nobody reads it from. Give it to a field that takes one, such as passwordFrom or userDataFrom: then the whole text stands where it points.`,
    );
  }

  toJSON(): Readonly<Record<string, string>> {
    return this.spec;
  }
}
