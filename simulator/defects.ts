/** Errors of the simulator's own making. They must not take the cluster down, and nobody may overlook them. */
export class Defects {
  private readonly noted: string[] = [];

  /** Notes a defect, tells it on the error output, and gives the text for whoever asked. Never fails. */
  note(error: unknown): string {
    const text = `simulator: ${error instanceof Error ? error.message : String(error)}`;
    process.stderr.write(`${error instanceof Error ? (error.stack ?? text) : text}\n`);
    this.noted.push(text);
    return text;
  }

  /** The texts of all defects, oldest first. */
  all(): string[] {
    return [...this.noted];
  }

  clear(): void {
    this.noted.length = 0;
  }
}
