import { UsageError } from './usage-error';

/**
 * Ends cleanly when the process is asked to. What must not be lost with its terminal names SIGHUP too; anything else leaves
 * it alone, so that nohup keeps it.
 */
export function endWith(end: () => Promise<void>, ...more: 'SIGHUP'[]): void {
  let isEnding = false;
  const stop = (): void => {
    // a terminal that goes sends more than one signal
    if (isEnding) return;
    isEnding = true;
    end().then(() => process.exit(0), abort);
  };
  for (const signal of ['SIGTERM', 'SIGINT', ...more]) process.once(signal, stop);
}

export function abort(error: unknown): void {
  process.stderr.write(`pve-simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(error instanceof UsageError ? 2 : 1);
}
