import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 15;

/** Lists the command lines of every process, again and again while some work is done, as `ps` shows them. Linux only. */
export async function commandLinesDuring(work: () => Promise<unknown>): Promise<Set<string>> {
  const seen = new Set<string>();
  const timer = setInterval(() => commandLines().forEach(line => seen.add(line)), EVERY_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return seen;
}

function commandLines(): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(commandLine);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
