import type { Configuration } from './configuration';

/** The slots that a guest boots from, in order; empty where it says so in the old way or not at all. */
export function bootSlots(config: Configuration): string[] {
  const order = /(?:^|,)order=([^,]*)/.exec(config.boot ?? '')?.[1] ?? '';
  const slots = order.split(';').filter(Boolean);
  return config.bootdisk === undefined ? slots : [...slots, config.bootdisk];
}
