/** The work on one machine, until it ends, well or not. */
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

/** The machines that one run works on, or has worked on, by their ids. */
export class AtWork {
  private readonly works = new Map<string, MachineWork>();

  begin(machine: string): MachineWork {
    const work = new MachineWork();
    this.works.set(machine, work);
    return work;
  }

  get(machine: string): MachineWork | undefined {
    return this.works.get(machine);
  }
}
