import type { Path } from '../../../spec';
import type { Document } from '../document';

/** One object of Kubernetes' shape, as far as it is known to be one. */
export interface Manifest {
  document: Document;
  /** Where it stands in its document: a list holds several. */
  root: Path;
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string;
  /** All of it. */
  json: Readonly<Record<string, unknown>>;
  spec: Readonly<Record<string, unknown>>;
}

/** Where a value of it stands. */
export function placeIn({ document, root }: Manifest, path: Path): string {
  return document.placeOf([...root, ...path]);
}

/** The namespace of what names none, as in Kubernetes. */
export const DEFAULT_NAMESPACE = 'default';
