import { UsageError } from './usage-error';

/** Ends cleanly when the process is asked to. */
export function endWith(end: () => Promise<void>): void {
  const stop = (): void => {
    end().then(() => process.exit(0), abort);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

export function abort(error: unknown): void {
  process.stderr.write(`pve-simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
