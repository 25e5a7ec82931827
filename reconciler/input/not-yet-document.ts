import type { DesiredState, Path } from '../../spec';
import { InputError } from '../errors';

type Document = Pick<DesiredState, 'cluster'>;

const ROWS: readonly { field: string; said: (state: Document) => boolean; instead: string }[] = [
  {
    field: 'cluster.limits.clonesPerStorage',
    said: ({ cluster }) => cluster.limits?.clonesPerStorage !== undefined,
    instead: 'Use clonesPerTemplate or tasksPerNode, and remove it.',
  },
  {
    field: 'cluster.defaults',
    said: ({ cluster }) => cluster.defaults !== undefined,
    instead: 'Write them into each machine: only constructs do that for you.',
  },
];

/** What a document may say and this version does not do: where, and a sentence. It is refused, so that nothing is left out. */
export function notYetIn(document: Document): { path: Path; says: string }[] {
  return ROWS.filter(({ said }) => said(document)).map(({ field, instead }) => ({
    path: field.split('.'),
    says: `${field}: is not reconciled by this version. ${instead}`,
  }));
}

/** Throws where a document says such a thing. */
export function refuseNotYet(document: Document): void {
  const left = notYetIn(document);
  if (left.length > 0) throw new InputError(left.map(({ says }) => says).join('\n'));
}
