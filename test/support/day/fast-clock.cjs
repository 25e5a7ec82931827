// @ts-nocheck -- it replaces what the types of the globals promise
/**
 * Makes the clock of a whole process run CLOCK_SCALE times as fast, from CLOCK_START on: `node --require` this. On SIGUSR2
 * the process clears its memory, so that what it holds can be compared.
 */
const timers = require('node:timers');
const promises = require('node:timers/promises');
const { promisify } = require('node:util');

const scale = Number(process.env.CLOCK_SCALE);
const start = Number(process.env.CLOCK_START);
const RealDate = Date;
const now = () => Math.floor(start + (RealDate.now() - start) * scale);

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [now()] : given));
  }
  static now() {
    return now();
  }
};

const realNow = performance.now.bind(performance);
performance.now = () => realNow() * scale;

const real = {
  setTimeout: timers.setTimeout,
  setInterval: timers.setInterval,
  sleep: promises.setTimeout,
};
const fast = name =>
  Object.assign((work, ms = 0, ...rest) => real[name](work, ms / scale, ...rest), {
    [promisify.custom]: (ms = 0, ...rest) => real.sleep(ms / scale, ...rest),
  });
globalThis.setTimeout = timers.setTimeout = fast('setTimeout');
globalThis.setInterval = timers.setInterval = fast('setInterval');
promises.setTimeout = (ms = 0, ...rest) => real.sleep(ms / scale, ...rest);
const { timeout } = AbortSignal;
AbortSignal.timeout = ms => timeout.call(AbortSignal, Math.ceil(ms / scale));

process.on('SIGUSR2', () => globalThis.gc());
