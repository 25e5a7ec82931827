import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = 'chromium';

/** Why there is no browser here; undefined when there is one. */
export function noChromium(): string | undefined {
  const { error, status } = spawnSync(PROGRAM, ['--version']);
  return error === undefined && status === 0 ? undefined : 'there is no chromium on PATH';
}

/** What every browser of the tests is started with. */
export const headless = (profile: string): string[] => [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--hide-scrollbars',
  '--no-first-run',
  '--disable-background-networking',
  `--user-data-dir=${profile}`,
];

/** Runs a headless browser with these arguments, with a profile of its own and no way to a network. */
export function chromium(...args: string[]): { stdout: string; stderr: string } {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const own = [...headless(profile), '--host-resolver-rules=MAP * ~NOTFOUND', '--enable-logging=stderr'];
  try {
    const { status, stdout, stderr } = spawnSync(PROGRAM, [...own, ...args], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`chromium ended with ${status}: ${stderr}`);
    return { stdout, stderr };
  } finally {
    rmSync(profile, { recursive: true, force: true });
  }
}
