import type { MachineOutputs } from '../../spec';
import { MissingOutputError } from '../errors';
import { type Seen, machineOutputs } from './machine';

/** The outputs of a machine that is there, or an error when one that somebody reads has no value. */
export function requiredOutputs(machine: string, seen: Seen, required: readonly string[]): MachineOutputs {
  const outputs = machineOutputs(seen);
  const known = new Map<string, unknown>(Object.entries(outputs));
  const missing = required.filter(name => isEmpty(known.get(name)));
  if (missing.length === 0) return outputs;
  throw new MissingOutputError(machine, missing, reason(seen));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function reason({ guest: { vmid, node, pending }, interfaces, powerState }: Seen): string {
  const place = `guest ${vmid} on ${node}`;
  if (powerState !== 'running') return `${place} is ${powerState}`;
  if (typeof interfaces !== 'string') return `the agent of ${place} answers, and has no address yet`;
  if (pending['agent'] !== undefined) return `${place} gets the agent's device with its next restart`;
  return `${place}: ${interfaces}`;
}
