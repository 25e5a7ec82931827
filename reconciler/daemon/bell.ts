/** Wakes whoever waits before his time. One that is rung while nobody waits is heard by the next who does. */
export class Bell {
  private wake: (() => void) | undefined;
  private isRung = false;

  ring = (): void => {
    this.isRung = true;
    this.wake?.();
  };

  /** Resolves after so long, when it is rung, or when the signal is aborted. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.isRung && !signal.aborted) {
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
    this.isRung = false;
  }
}
