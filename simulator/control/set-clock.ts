import { Fields, refuse } from '../world-file/fields';
import type { Site } from './site';

/** Moves a held clock on (`advance`), or says how fast it runs from now on (`scale`; 0 holds it). */
export async function setClock({ sim }: Site, { body }: { body: unknown }): Promise<object> {
  const fields = new Fields(body, 'clock');
  const scale = fields.has('scale') ? speed(fields) : undefined;
  // an order must say something
  const ms = fields.has('advance') || scale === undefined ? fields.count('advance') : 0;
  fields.end();
  if (scale !== undefined) sim.clock.run(scale);
  if (ms > 0 || scale === undefined) await sim.clock.advance(ms);
  return { now: sim.clock.now() };
}

function speed(fields: Fields): number {
  const value = fields.raw('scale');
  if (typeof value === 'number' && value >= 0 && value <= 1000) return value;
  return refuse(fields.place('scale'), value, 'a number from 0 (held) to 1000');
}
