/** Where the reconciler reads a secret when it needs it. The secret itself never stands in a program or a state. */
export class Reference {
  private constructor(private readonly spec: Readonly<Record<string, string>>) {}

  /** An environment variable of whoever runs Terraform. */
  static fromEnvironment(name: string): Reference {
    return new Reference({ environment: name });
  }

  /** A file where Terraform runs, by its path. */
  static fromFile(path: string): Reference {
    return new Reference({ file: path });
  }

  toJSON(): Readonly<Record<string, string>> {
    return this.spec;
  }
}
