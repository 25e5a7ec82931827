import * as z from 'zod';
import type { ClusterSpec, FleetSpec, MachineSpec, Parsed } from '../../spec';
import {
  formatProblems,
  isRecord,
  parseCluster,
  parseFleet,
  parseMachine,
  parseWords,
  protocolMismatch,
} from '../../spec';
import type { Environment } from '../config/cluster-variables';
import { InputError } from '../errors';
import { refuseNotYet } from './not-yet-document';
import { readJson } from './read-json';
import { refuseOwnerOfTerraform } from './terraform-words';

/** Reads a query from stdin as its schema says. */
export function queryOf<T>(text: string, schema: z.ZodType<T>): T {
  if (text.trim() === '')
    throw new InputError(
      'the query on stdin is empty. Terraform calls this verb, and gives it its query. By hand write: pve-reconciler status --spec FILE. Nothing was sent.',
    );
  const json = readJson(text, 'the query on stdin');
  if (!isRecord(json)) throw new InputError('the query on stdin is no JSON object.');
  const { protocol, owner } = json;
  refuseOwnerOfTerraform(owner, 'the query, owner');
  return checked(json, schema, typeof protocol === 'string' ? protocol : undefined, 'the query');
}

/** Reads the variables of the wire from the environment as their schema says. */
export function variablesOf<T>(environment: Environment, schema: z.ZodType<T>): T {
  return checked(environment, schema, environment['PROXMOX_PROTOCOL'], 'the environment');
}

function checked<T>(given: unknown, schema: z.ZodType<T>, protocol: string | undefined, what: string): T {
  const mismatch = protocolMismatch(protocol);
  if (mismatch !== undefined) throw new InputError(mismatch);
  const parsed = parseWords(schema, given);
  if (parsed.ok) return parsed.value;
  const wrong = formatProblems(parsed.problems);
  throw new InputError(`${what} is not what this program reads. Synthesize the stack again.\n${wrong}`);
}

/** The cluster of a query. */
export function clusterOf(text: string): ClusterSpec {
  return valueOf(parseCluster(readJson(text, 'cluster')));
}

/** The same, for a verb that does what the cluster asks for: what is not there yet is refused. */
export function ableClusterOf(text: string): ClusterSpec {
  const cluster = clusterOf(text);
  refuseNotYet({ cluster });
  return cluster;
}

/** All machines that are placed together; undefined where nothing is said of them. */
export function fleetOf(text: string | undefined): FleetSpec | undefined {
  return text === undefined || text === '' ? undefined : valueOf(parseFleet(readJson(text, 'fleet')));
}

/** The machine of an apply: by now every value must be known. */
export function machineOf(text: string, cluster: ClusterSpec): MachineSpec {
  return valueOf(parseMachine(readJson(text, 'the spec'), cluster));
}

/** The ids that a machine had before, as PROXMOX_FORMER says them. */
export function formerIdsOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const ids = z.array(z.string()).safeParse(readJson(text, 'PROXMOX_FORMER'));
  if (!ids.success)
    throw new InputError('PROXMOX_FORMER is no JSON list of ids. Synthesize the stack again.');
  return ids.data;
}

/** The value of a document that parsed, or an error with all that is wrong with it. */
export function valueOf<T>(parsed: Parsed<T>): T {
  if (parsed.ok) return parsed.value;
  throw new InputError(formatProblems(parsed.problems));
}
