import { isRecord, type Path } from './path';

/** A value that Terraform cannot know before it applies: the expression that will give it. */
export interface Unknown {
  readonly $unknown: string;
}

/** True for a value that stands for one that is not known yet. */
export function isUnknown(value: unknown): value is Unknown {
  return isRecord(value) && typeof value.$unknown === 'string' && Object.keys(value).length === 1;
}

/** Where a document holds values that are not known before apply, with their expressions. */
export function unknownPaths(value: unknown): { path: Path; expression: string }[] {
  if (isUnknown(value)) return [{ path: [], expression: value.$unknown }];
  const entries: [PropertyKey, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isRecord(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]) =>
    unknownPaths(inner).map(found => ({ ...found, path: [key, ...found.path] })),
  );
}

/** The document without the keys that hold null: Terraform writes null for what was not said. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && inner !== undefined)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  );
}
