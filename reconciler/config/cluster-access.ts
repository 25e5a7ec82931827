import { ALWAYS, milliseconds, type ClusterSpec } from '../../spec';
import { credentialsOf } from './credentials';
import { unusedOverHttp } from './plain-http';
import { PLAIN_PREFIX, prefixesOf } from './prefix';
import { durationIn, settingsOf } from './cluster-settings';
import { tlsOf } from './tls';
import { mistypedVariables } from './mistyped-variables';
import { isSet, readVariables, type Environment, type Variables } from './cluster-variables';
import { InputError } from '../errors';
import type { PveConfig } from '../pve';

/** A cluster and the way to it. */
export interface ClusterAccess {
  /** The spec, with what the environment adds to it. */
  cluster: ClusterSpec;
  pve: PveConfig;
  /** Nodes to take first for new machines. */
  preferredNodes: string[];
  /** To be said aloud in every run. */
  warnings: string[];
}

/**
 * Finds the way to each cluster in its spec and the environment. Reads files, sends nothing.
 * Throws one `InputError` with all that is wrong; no message holds a secret.
 */
export function accessTo(clusters: readonly ClusterSpec[], environment: Environment): ClusterAccess[] {
  const faults: string[] = [];
  const prefixes = prefixesOf(clusters, environment, faults);
  faults.push(...mistypedVariables(prefixes, environment));
  const accesses = clusters.map((cluster, index) => {
    const variables = readVariables(prefixes[index] ?? '', environment);
    const access = accessOf(cluster, variables, environment);
    faults.push(
      ...variables.faults.map(fault => (clusters.length > 1 ? `${cluster.name}: ${fault}` : fault)),
    );
    return access;
  });
  if (faults.length > 0) throw new InputError([...new Set(faults)].join('\n'));
  return accesses.filter(access => access !== undefined);
}

/** Of one request, repeats of a read included. Longer than the 30 s after which PVE's own proxy gives up: its answer comes first. */
const REQUEST_TIMEOUT = { from: '1s', to: '10m', otherwise: '45s' };

function accessOf(
  spec: ClusterSpec,
  variables: Variables,
  environment: Environment,
): ClusterAccess | undefined {
  const { prefix, values, isGiven, faults } = variables;
  const settings = settingsOf(variables, environment);
  const cluster = withSettings(spec, settings);
  const endpoints = endpointsOf(spec) ?? settings.endpoints;
  // an address that is there and wrong is told where it is read
  if (endpoints === undefined && !isGiven('ENDPOINT')) {
    faults.push(
      `endpoint is required: set ${prefix}ENDPOINT, such as https://pve.example.com:8006, or cluster.endpoint.${unreadText(prefix, environment)}`,
    );
  }
  const credentials = credentialsOf(variables);
  const tls = tlsOf(spec, variables);
  const requestTimeoutMs = durationIn('PVE_REQUEST_TIMEOUT', environment, REQUEST_TIMEOUT, faults);
  const fingerprint = spec.fingerprint ?? settings.fingerprint;
  faults.push(...unusedOverHttp(endpoints ?? [], { cluster: spec, variables, isInsecure: tls.insecure }));
  if (endpoints === undefined || credentials === undefined) return undefined;
  return {
    cluster,
    pve: {
      endpoints,
      credentials,
      tls: { ...tls, ...(fingerprint === undefined ? {} : { fingerprint }) },
      maxRequests: spec.limits?.requests ?? ALWAYS.cluster.limits.requests,
      requestTimeoutMs,
      poll: pollOf(cluster),
    },
    preferredNodes: (values.NODE_SELECTOR ?? '').split(',').flatMap(node => node.trim() || []),
    warnings: tls.insecure ? [insecureWarning(spec.name, prefix)] : [],
  };
}

/** Of an environment that was right while there was one cluster. */
function unreadText(prefix: string, environment: Environment): string {
  const isUnread = prefix !== PLAIN_PREFIX && isSet(environment, `${PLAIN_PREFIX}ENDPOINT`);
  return isUnread
    ? ` ${PLAIN_PREFIX}ENDPOINT is set, and not read: the variables of this cluster begin with ${prefix}, all of them, as there are several clusters, or as one of these is set or credentials.prefix says so.`
    : '';
}

function withSettings(
  spec: ClusterSpec,
  { taskTimeout, pollCeiling }: ReturnType<typeof settingsOf>,
): ClusterSpec {
  return {
    ...(taskTimeout === undefined ? {} : { taskTimeout }),
    ...(pollCeiling === undefined ? {} : { pollCeiling }),
    ...spec,
  };
}

function endpointsOf({ endpoint, endpoints = [] }: ClusterSpec): string[] | undefined {
  const all = [...new Set([...(endpoint === undefined ? [] : [endpoint]), ...endpoints])];
  return all.length === 0 ? undefined : all;
}

function pollOf({ pollFloor, pollCeiling }: ClusterSpec): PveConfig['poll'] {
  const ceilingMs = milliseconds(pollCeiling ?? ALWAYS.cluster.pollCeiling);
  return { floorMs: Math.min(ceilingMs, milliseconds(pollFloor ?? ALWAYS.cluster.pollFloor)), ceilingMs };
}

function insecureWarning(cluster: string, prefix: string): string {
  return (
    `WARNING: the certificate of cluster ${cluster} is not checked. Whoever is on the network can read the ` +
    `credentials and change what is sent. Set ${prefix}FINGERPRINT or ${prefix}CA_BUNDLE instead.`
  );
}
