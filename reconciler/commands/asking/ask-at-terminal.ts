import { createInterface } from 'node:readline/promises';

/**
 * Asks who sits at the terminal. The question goes to stderr: stdout is for programs. Who ends the input, or interrupts
 * the question, has answered nothing.
 */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>(resolve => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'AbortError') return endOfLine();
    throw error;
  } finally {
    lines.close();
  }
}

/** What is said next begins a line of its own. */
function endOfLine(): string {
  process.stderr.write('\n');
  return '';
}
