import * as z from 'zod';

/** A field that may be left out: then it is not managed. The description goes into the JSON Schema. */
export function optional<S extends z.ZodType>(schema: S, description: string) {
  return described(schema, { description });
}

/** A field whose default is used only when we create the guest; an adopted or cloned one never differs by it. */
export function atCreate<S extends z.ZodType>(schema: S, value: z.input<S>, description: string) {
  return described(schema, { description, default: value, defaultKind: 'create' });
}

/** A field of our own behaviour, whose default always holds. It is never written into a canonical spec. */
export function always<S extends z.ZodType>(schema: S, value: z.input<S>, description: string) {
  return described(schema, { description, default: value, defaultKind: 'always' });
}

// Not .meta(): it makes a second schema of each, and there are hundreds when a program starts.
function described<S extends z.ZodType>(schema: S, meta: z.GlobalMeta) {
  const field = z.optional(schema);
  z.globalRegistry.add(field, meta);
  return field;
}
