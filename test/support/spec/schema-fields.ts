import * as z from 'zod';

/**
 * Every field that a schema knows, as paths: `cpu.cores`, `disks[].cache`. A field that may be a plain value or an
 * object is listed by itself, and so is each field of the object.
 */
export function schemaFields(schema: z.core.$ZodType, at = ''): string[] {
  const inner = unwrapped(schema);
  const objects = inner.filter(found => found instanceof z.ZodObject);
  const lists = inner.filter(found => found instanceof z.ZodArray);
  const plain = inner.length > objects.length + lists.length;
  const inObjects = objects.flatMap(object =>
    Object.entries(object.shape).flatMap(([name, field]) =>
      schemaFields(field, at === '' ? name : `${at}.${name}`),
    ),
  );
  const inLists = lists.flatMap(list => schemaFields(list.element, `${at}[]`));
  const simpleList = inLists.length === 1 && inLists[0] === `${at}[]`;
  return [...(plain || simpleList ? [at] : []), ...inObjects, ...(simpleList ? [] : inLists)];
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodOptional) return unwrapped(schema.unwrap());
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(unwrapped);
  return [schema];
}
