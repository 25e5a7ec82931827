import * as z from 'zod';
import { jsonOf, type WireAnswer } from '../answers/read-answer';
import { TransportError } from './transport';

/** What tells the cluster behind one address from another; undefined: it is not told. */
export interface ClusterIdentity {
  /** Its name, or that of its node when it is in no cluster. */
  name: string | undefined;
  /** The fingerprint of its own authority: a copy that is set up anew has the name, and not this. */
  authority: string | undefined;
}

/** Of the authority that a cluster makes with its first node. Each node that joins takes it over. */
export const AUTHORITY = 'pve-root-ca.pem';

const StatusRow = z.object({ type: z.string(), name: z.string(), local: z.number().optional() });
const NodeRow = z.object({ node: z.string(), status: z.string().optional() });
const CertificateRow = z.object({ filename: z.string(), fingerprint: z.string().optional() });

/** How long its certificate is waited for: another node of the cluster may have to tell it. */
const LOOK_MS = 5_000;

const NOT_TOLD: WireAnswer = { status: 0, reason: '', text: '' };

type Get = (path: string, signal?: AbortSignal) => Promise<WireAnswer>;

/** Reads it at one address. What may not be read, or is not told in time, is not told. */
export async function readClusterIdentity(ask: Get): Promise<ClusterIdentity> {
  const status = rowsIn(await ask('/cluster/status'), StatusRow);
  const signal = AbortSignal.timeout(LOOK_MS);
  const get = (path: string): Promise<WireAnswer> =>
    ask(path, signal).catch((error: unknown) => {
      if (error instanceof TransportError || signal.aborted) return NOT_TOLD;
      throw error;
    });
  const cluster = status.find(({ type }) => type === 'cluster');
  const local = status.find(row => row.type === 'node' && row.local === 1)?.name;
  const name = cluster ? `cluster ${cluster.name}` : local && `node ${local}`;
  const node = local ?? (await someNode(get));
  if (node === undefined) return { name, authority: undefined };
  const rows = rowsIn(await get(`/nodes/${encodeURIComponent(node)}/certificates/info`), CertificateRow);
  return { name, authority: rows.find(({ filename }) => filename === AUTHORITY)?.fingerprint };
}

/** The status of the cluster needs Sys.Audit; the names of its nodes need nothing, and each knows the authority. */
async function someNode(get: Get): Promise<string | undefined> {
  return rowsIn(await get('/nodes'), NodeRow).find(({ status }) => status !== 'offline')?.node;
}

/** Whether two addresses lead to different clusters, as far as both tell the same of them. */
export function isOtherCluster(one: ClusterIdentity, other: ClusterIdentity): boolean {
  return isOther(one.name, other.name) || isOther(one.authority, other.authority);
}

function isOther(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

/** For people. */
export function clusterText({ name = 'a cluster without a name' }: ClusterIdentity): string {
  return name;
}

/** The same, where the name does not tell them apart. */
export function certifiedText(cluster: ClusterIdentity): string {
  return `${clusterText(cluster)} (root certificate ${cluster.authority ?? 'not told'})`;
}

function rowsIn<Row>({ status, text }: WireAnswer, row: z.ZodType<Row>): Row[] {
  if (status !== 200) return [];
  return z.object({ data: z.array(row) }).safeParse(jsonOf(text)).data?.data ?? [];
}
