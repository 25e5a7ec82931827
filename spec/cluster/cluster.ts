import * as z from 'zod';
import { ALWAYS } from '../fields/defaults';
import { durationOf } from '../values/duration';
import { Endpoint } from './endpoint';
import { always, optional } from '../fields/field';
import { Fingerprint } from './fingerprint';
import { MachineSettings } from '../machine/settings';
import { BridgeName, DnsLabel, NodeName, StorageId } from '../values/names';
import { strictObject } from '../fields/strict-object';
import { text, wants, wholeNumber } from '../fields/wants';

const Vmid = wholeNumber(100, 999_999_999);
const PemOrPath = text(
  /^(?![^]*PRIVATE KEY)\S[^]*$/,
  'PEM text of certificates, or the path of a file that holds it',
  given => (given.includes('PRIVATE KEY') ? 'Remove the key: it is read from PVE_CLIENT_KEY.' : undefined),
);
const OneOrMore = wholeNumber(1, 256);
const { limits } = ALWAYS.cluster;

/** Where to find credentials. The secret itself never stands in a spec. */
const CredentialsSpec = strictObject(() => ({
  prefix: optional(
    text(/^[A-Z][A-Z0-9_]*_$/, 'the beginning of variable names, such as "PVE_LAB_"'),
    'Read PREFIX + TOKEN_ID, TOKEN_SECRET, … instead of the variables named for the cluster.',
  ),
}));

const LimitsSpec = strictObject(() => ({
  clonesPerTemplate: always(OneOrMore, limits.clonesPerTemplate, 'Clones of one template at once.'),
  clonesPerStorage: optional(OneOrMore, 'Not there yet, and refused. Clones onto one storage at once.'),
  tasksPerNode: always(OneOrMore, limits.tasksPerNode, 'Tasks on one node at once.'),
  requests: always(OneOrMore, limits.requests, 'Requests at once.'),
}));

const connectionFields = () => ({
  endpoint: optional(Endpoint, "Where the API is. Without it the runner's PVE_ENDPOINT."),
  endpoints: optional(z.array(Endpoint).min(1), 'Several addresses of one cluster, tried in order.'),
  insecureSkipTlsVerify: always(
    z.boolean(),
    ALWAYS.cluster.insecureSkipTlsVerify,
    'Trust any certificate. Each run warns of it.',
  ),
  caCertificate: optional(PemOrPath, 'The authority that signed the certificate.'),
  clientCertificate: optional(
    PemOrPath,
    'A client certificate; its key only from a file or the environment.',
  ),
  fingerprint: optional(Fingerprint, "SHA-256 fingerprint that the server's certificate must have."),
  credentials: optional(CredentialsSpec, 'Where credentials are found, never the secret.'),
});

/** A Proxmox cluster: how to reach it, what may be used of it, how hard it may be worked. */
export const ClusterSpec = strictObject(
  () => ({
    name: DnsLabel.meta({ description: 'Names the cluster; also selects its environment variables.' }),
    ...connectionFields(),
    nodes: optional(z.array(NodeName), 'Nodes that may be used. Without it all.'),
    storages: optional(z.array(StorageId), 'Storages that may be used. Without it all.'),
    networks: optional(z.array(BridgeName), 'Bridges that may be used. Without it all.'),
    networkMap: always(
      z.record(BridgeName, BridgeName),
      ALWAYS.cluster.networkMap,
      'Network name to bridge; adds to the default map.',
    ),
    vmidRange: always(
      strictObject(() => ({
        from: Vmid.meta({ description: 'First.' }),
        to: Vmid.meta({ description: 'Last.' }),
      })),
      ALWAYS.cluster.vmidRange,
      'Automatic ids are taken from here, the lowest free one first.',
    ),
    defaults: optional(
      MachineSettings,
      'Any setting of a machine, below its class and below the machine. Constructs write it into each machine; in a desired state it is refused.',
    ),
    limits: optional(LimitsSpec, 'How much may happen at once.'),
    taskTimeout: always(durationOf('1s', '24h'), ALWAYS.cluster.taskTimeout, 'How long a task may take.'),
    pollFloor: always(
      durationOf('1ms', '1m'),
      ALWAYS.cluster.pollFloor,
      'Shortest wait before a look at a task.',
    ),
    pollCeiling: always(
      durationOf('1ms', '1m'),
      ALWAYS.cluster.pollCeiling,
      'Longest wait before a look at a task.',
    ),
  }),
  wants('an object such as {"name": "lab"}', given =>
    typeof given === 'string' && /^[\w-]+$/.test(given) ? `Write {"name": "${given}"}.` : undefined,
  ),
);
export type ClusterSpec = z.infer<typeof ClusterSpec>;
