import { createInterface } from 'node:readline/promises';

/** Asks who sits at the terminal. The question goes to stderr: stdout is for programs. */
export async function askAtTerminal(question: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question, { signal });
  } finally {
    lines.close();
  }
}
