// @ts-nocheck -- it replaces functions of Node's modules
/**
 * Makes HANGING_FILE hang as on a mount whose server is away, from the moment on at which HANGING_SINCE is there: a thread
 * of Node waits for the other end of a pipe, which nobody opens. `node --require` this.
 */
const fs = require('node:fs');
const { existsSync } = fs;

const hangs = place =>
  String(place) === process.env.HANGING_FILE && existsSync(process.env.HANGING_SINCE ?? '');

for (const name of ['stat', 'open', 'readdir', 'lstat']) {
  const real = fs.promises[name];
  fs.promises[name] = (place, ...rest) =>
    hangs(place)
      ? new Promise((_, reject) => fs.open(process.env.HANGING_PIPE, 'r', reject))
      : real(place, ...rest);
}
