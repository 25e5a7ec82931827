import * as z from 'zod';
import { isRecord } from '../../../spec';

/** An object of JSON. */
export type Json = Readonly<Record<string, unknown>>;

const texts = z.record(z.string(), z.string());

const runs = (command: 'apply' | 'destroy') =>
  z.tuple([
    z.strictObject({
      'local-exec': z.strictObject({
        command: z.literal(command),
        when: z.literal('destroy').optional(),
        interpreter: z.array(z.string()),
        environment: texts,
      }),
    }),
  ]);

/** The registry of a cluster, or of its snapshots. */
export const Registry = z.strictObject({
  for_each: z.string(),
  triggers: texts,
  lifecycle: z.strictObject({ ignore_changes: z.tuple([z.literal('triggers')]) }),
  depends_on: z.array(z.string()).optional(),
  provisioner: runs('destroy'),
});
export type Registry = z.infer<typeof Registry>;

/** The revision of a machine or of a snapshot. */
export const Revision = z.strictObject({
  triggers: z.strictObject({ registry: z.string(), spec: z.string(), token: z.string() }),
  lifecycle: z.strictObject({ precondition: z.array(z.unknown()).min(2).max(3) }),
  depends_on: z.array(z.string()).optional(),
  provisioner: runs('apply'),
});
export type Revision = z.infer<typeof Revision>;

/** What Terraform asks the reconciler. */
export const Query = z.looseObject({ query: texts });

/** What is said about nodes, as a provisioner carries it. */
export const Fleet = z.object({ nodes: z.array(z.looseObject({ nodeName: z.string() })).default([]) });

const blocks = z.record(z.string(), z.unknown());
const named = z.record(z.string(), blocks);

/** A stack, as far as every stack has this form. */
export const StackJson = z.looseObject({
  resource: named.default({}),
  data: named.default({}),
  check: blocks.default({}),
  output: blocks.default({}),
  module: blocks.default({}),
  moved: z.array(z.strictObject({ from: z.string(), to: z.string() })).default([]),
  removed: z.array(z.looseObject({ from: z.string() })).default([]),
});
export type StackJson = z.infer<typeof StackJson>;

const BODIES: Readonly<Record<string, number>> = { resource: 2, data: 2, output: 1, variable: 1, module: 1 };

/** Without the notes of cdktf, which stand under `//` in the stack and in its blocks. */
export function withoutNotes(json: unknown): unknown {
  if (!isRecord(json)) return json;
  const entries = Object.entries(json).filter(([block]) => block !== '//');
  return Object.fromEntries(entries.map(([block, body]) => [block, bare(body, BODIES[block])]));
}

function bare(json: unknown, depth: number | undefined): unknown {
  if (depth === undefined || !isRecord(json)) return json;
  const entries = Object.entries(json).filter(([key]) => depth > 0 || key !== '//');
  return Object.fromEntries(
    entries.map(([key, value]) => [key, depth === 0 ? value : bare(value, depth - 1)]),
  );
}
