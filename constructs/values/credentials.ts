/** Where the reconciler finds credentials when it runs. The secret itself never stands in a program. */
export class Credentials {
  private constructor(private readonly prefix: string | undefined) {}

  /**
   * From the environment of whoever runs Terraform: PREFIX + TOKEN_ID, TOKEN_SECRET, USERNAME, PASSWORD, …, each also
   * as …_FILE with the path of a file that holds it.
   * @param prefix Such as "PVE_LAB_". Without it the variables that are named for the cluster, else the plain PVE_ ones.
   */
  static fromEnvironment(prefix?: string): Credentials {
    return new Credentials(prefix);
  }

  toJSON(): { prefix?: string } {
    return this.prefix === undefined ? {} : { prefix: this.prefix };
  }
}
