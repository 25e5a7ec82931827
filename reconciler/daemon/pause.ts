/** A wait that somebody may end before its time. One that is ended while nobody waits ends for the next who does. */
export class Pause {
  private wake: (() => void) | undefined;
  private isEnded = false;

  end = (): void => {
    this.isEnded = true;
    this.wake?.();
  };

  /** Resolves after so long, when it is ended, or when the signal is aborted. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isEnded && !signal.aborted) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.max(0, ms));
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener('abort', this.wake, { once: true });
      });
      if (this.wake) signal.removeEventListener('abort', this.wake);
    }
    this.wake = undefined;
    this.isEnded = false;
  }
}
