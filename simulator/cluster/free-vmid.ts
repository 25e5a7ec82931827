import { fail } from '../failure';
import { parsePropertyString } from '../schema/property-string';
import type { Sim } from './sim';
import { datacenterFormat } from './datacenter-options';

/** The lowest id that is free in the datacenter's range, as text. Reserves nothing: two callers get the same. */
export function freeId(sim: Sim): string {
  const { lower, upper } = idRange(sim);
  for (let vmid = lower; vmid < upper; vmid += 1) if (!sim.world.guests[vmid]) return String(vmid);
  return fail(`unable to get any free VMID in range [${lower}, ${upper}]`);
}

function idRange(sim: Sim): { lower: number; upper: number } {
  const text = sim.world.datacenter['next-id'];
  const format = datacenterFormat('next-id');
  const { lower = '100', upper = '1000000' } =
    text === undefined || format === undefined ? {} : parsePropertyString(format, text);
  return { lower: Number(lower), upper: Number(upper) };
}
