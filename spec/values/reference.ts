import type * as z from 'zod';
import { optional } from '../fields/field';
import { strictObject } from '../fields/strict-object';
import { text, wants } from '../fields/wants';

/** Where a value is read from when it is needed, so that it never stands in a spec. */
export const Reference = strictObject(() => ({
  environment: optional(
    text(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable'),
    'An environment variable of the runner.',
  ),
  file: optional(text(/^[^\p{Cc}]+$/u, 'the path of a file'), 'A file of the runner.'),
})).refine(
  ({ environment, file }) => (environment === undefined) !== (file === undefined),
  wants('either {"environment": "NAME"} or {"file": "/path"}'),
);
export type Reference = z.infer<typeof Reference>;
