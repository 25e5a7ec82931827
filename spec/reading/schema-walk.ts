import * as z from 'zod';
import type { Path } from './path';

/** The fields that a schema knows at a path; empty where it knows no fields. */
export function fieldsAt(schema: z.core.$ZodType, path: Path): string[] {
  return at(schema, path).flatMap(found => (found instanceof z.ZodObject ? Object.keys(found.shape) : []));
}

/** The schemas that may stand at a path: several where a union is on the way. */
function at(schema: z.core.$ZodType, path: Path): z.core.$ZodType[] {
  const [key, ...rest] = path;
  return alternatives(schema).flatMap(inner => {
    if (key === undefined) return [inner];
    if (inner instanceof z.ZodArray) return at(inner.element, rest);
    if (inner instanceof z.ZodRecord) return at(inner.valueType, rest);
    const field = inner instanceof z.ZodObject ? inner.shape[String(key)] : undefined;
    return field === undefined ? [] : at(field, rest);
  });
}

function alternatives(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional) return alternatives(schema.unwrap());
  if (schema instanceof z.ZodPipe) return alternatives(schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  return [schema];
}
