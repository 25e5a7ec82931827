import * as z from 'zod';
import type { WireAnswer } from '../answers/classify';
import { jsonOf } from '../answers/json-of';

const Row = z.object({ type: z.string(), name: z.string(), local: z.number().optional() });

/** The cluster that an answer to `GET /cluster/status` names, or its node when it is in no cluster; undefined: not told. */
export function clusterNamedIn({ status, text }: WireAnswer): string | undefined {
  if (status !== 200) return undefined;
  const rows = z.object({ data: z.array(Row) }).safeParse(jsonOf(text)).data?.data ?? [];
  const cluster = rows.find(({ type }) => type === 'cluster');
  const node = rows.find(({ type, local }) => type === 'node' && local === 1);
  return cluster ? `cluster ${cluster.name}` : node && `node ${node.name}`;
}
