/** Who chose an id: a run, for a machine. */
interface Holder {
  run: object;
  machine: string;
}

/** The ids that the runs of one process have chosen or made guests of, until each run ends. */
export class TakenIds {
  private readonly holders = new Map<number, Holder>();

  take(vmid: number, holder: Holder): void {
    this.holders.set(vmid, holder);
  }

  /** Two runs of one machine shall meet at one id: it is nobody else's then. */
  isOfAnother(vmid: number, machine: string): boolean {
    const holder = this.holders.get(vmid);
    return holder !== undefined && holder.machine !== machine;
  }

  release(run: object): void {
    for (const [vmid, holder] of this.holders) if (holder.run === run) this.holders.delete(vmid);
  }
}
