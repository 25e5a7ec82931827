import type { DesiredSource, Requester, Sourced } from './desired-source';

/** A source whose readings count when they were taken: one that could not be is offered again, and is a fault until then. */
export class UntilTaken implements DesiredSource {
  private offered: Sourced | undefined;
  private why: string | undefined;

  constructor(private readonly inner: DesiredSource) {}

  get fault(): string | undefined {
    return this.inner.fault ?? this.why;
  }

  get isAway(): boolean {
    return this.inner.isAway === true;
  }

  get mayGoBack(): boolean {
    return this.inner.mayGoBack === true;
  }

  get cutFile(): string | undefined {
    return this.inner.cutFile;
  }

  get emptyFolder(): string | undefined {
    return this.inner.emptyFolder;
  }

  get mayBeOld(): boolean {
    return this.inner.mayBeOld === true || (this.mayGoBack && this.offered !== undefined);
  }

  get requester(): Requester | undefined {
    return this.inner.requester;
  }

  async readIfNew(): Promise<Sourced | undefined> {
    this.offered = (await this.inner.readIfNew()) ?? this.offered;
    return this.offered;
  }

  async goodForMs(): Promise<number> {
    return this.offered === undefined ? this.inner.goodForMs() : -1;
  }

  wakes(wake: () => void): void {
    this.inner.wakes?.(wake);
  }

  taken(): void {
    [this.offered, this.why] = [undefined, undefined];
  }

  /** What was read last stays on offer, where it was not taken. */
  notTaken(why: string): void {
    if (this.offered !== undefined) this.why = why;
  }
}
