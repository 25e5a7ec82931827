/** The work on one machine, until it ends, well or not: who clones from it waits for that. */
export class MachineWork {
  isOver = false;
  readonly promise: Promise<void>;
  private resolve: () => void = () => undefined;

  constructor() {
    this.promise = new Promise(resolve => (this.resolve = resolve));
  }

  end(): void {
    this.isOver = true;
    this.resolve();
  }
}
