import { MiB } from '../../../spec';
import type { Part } from '../scene';
import { wantsFrom, type FieldTable } from '../want';

export const DISPLAY: FieldTable = { type: 'vga.type', memory: 'vga.memory', clipboard: 'vga.clipboard' };
export const RNG: FieldTable = { source: 'rng0.source', maxBytes: 'rng0.max_bytes', period: 'rng0.period' };
export const WATCHDOG: FieldTable = { model: 'watchdog.model', action: 'watchdog.action' };
export const AUDIO: FieldTable = { device: 'audio0.device', driver: 'audio0.driver' };

/** Devices of which a guest has one each: display, random numbers, watchdog, sound. */
export const singleDevices: Part = ({ spec: { display, rng, watchdog, audio } }) => [
  ...wantsFrom('display.', DISPLAY, {
    ...display,
    memory: display?.memory === undefined ? undefined : display.memory / MiB,
  }),
  ...wantsFrom('rng.', RNG, { ...rng }),
  ...wantsFrom('watchdog.', WATCHDOG, { ...watchdog }),
  ...wantsFrom('audio.', AUDIO, { ...audio }),
];
