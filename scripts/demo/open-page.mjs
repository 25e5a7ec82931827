import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser of whoever sits at a terminal. Does nothing in a pipe, over ssh without a screen, in CI,
 * and with BROWSER=none. Never throws: the address is printed too.
 * @param {string} url
 */
export function openPage(url) {
  const { BROWSER, CI } = process.env;
  if (!process.stdin.isTTY || !process.stdout.isTTY || BROWSER === 'none' || CI) return;
  const [program, ...words] = opener();
  if (program === undefined) return;
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}

/** What opens an address here. @returns {string[]} */
function opener() {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""'];
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : [];
}
