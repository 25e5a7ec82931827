import { byNumber } from '../values/by-number';
import type * as z from 'zod';
import { parseWith, type Parsed } from '../reading/parse';
import type { Observation, ObserveQuery } from './protocol';
import { PROTOCOL_VERSION } from './protocol';

/** Parses what one side of the wire says to the other. */
export function parseWords<T>(schema: z.ZodType<T>, words: unknown): Parsed<T> {
  return parseWith({ schema, partial: schema, checks: () => [] }, words);
}

/** A machine of an observe query: its texts as they were sent, and whether somebody reads its addresses. */
export interface QueriedMachine {
  id: string;
  spec: string;
  entry: string | undefined;
  readsAddress: boolean;
}

/** The machines of an observe query, in the order of their ids. */
export function machinesOf(query: ObserveQuery): QueriedMachine[] {
  return Object.keys(query)
    .filter(key => key.startsWith('spec.'))
    .map(key => key.slice('spec.'.length))
    .sort(byNumber)
    .map(id => ({
      id,
      spec: query[`spec.${id}`] ?? '',
      entry: query[`entry.${id}`],
      readsAddress: readsAddress(query[`reads.${id}`]),
    }));
}

/** Whether a list of outputs that are read names the addresses. */
export function readsAddress(reads = ''): boolean {
  return reads.split(',').includes('ipAddresses');
}

/** The snapshots of an observe query: each as it was sent, by `<machine>.<name>`. */
export function snapshotsOf(query: ObserveQuery): { key: string; spec: string }[] {
  return Object.keys(query)
    .filter(key => key.startsWith('snapshot.'))
    .map(key => ({ key: key.slice('snapshot.'.length), spec: query[key] ?? '' }));
}

/** The flat map of texts that Terraform takes as the result of observe. */
export function flatObservations(observations: Record<string, Observation>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(observations).flatMap(([id, observation]) =>
      Object.entries(observation).map(([field, value]): [string, string] => [`${id}.${field}`, value]),
    ),
  );
}

/** Says which side to update when the other speaks another version; undefined when both speak ours. */
export function protocolMismatch(given: string | undefined): string | undefined {
  if (given === String(PROTOCOL_VERSION)) return undefined;
  if (given === undefined || !/^\d+$/.test(given)) {
    return `no protocol version was given; this reconciler speaks ${PROTOCOL_VERSION}. Synthesize the stack again with cdktf-proxmox.`;
  }
  const older = Number(given) < PROTOCOL_VERSION;
  return older
    ? `the stack speaks protocol ${given}, this reconciler ${PROTOCOL_VERSION}. Update cdktf-proxmox in the stack and synthesize it again.`
    : `the stack speaks protocol ${given}, this reconciler ${PROTOCOL_VERSION}. Update the reconciler, or deploy the one that the stack brings.`;
}
