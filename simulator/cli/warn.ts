/** Tells the person at the terminal; the line on stdout is for programs. */
export const warn = (text: string): void => void process.stderr.write(`pve-simulator: ${text}\n`);
