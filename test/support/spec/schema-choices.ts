import * as z from 'zod';

/** The words that a field may be, by its path: those of its enumerations and literal texts. */
export function schemaChoices(schema: z.core.$ZodType): Record<string, string[]> {
  const choices: Record<string, string[]> = {};
  const walk = (found: z.core.$ZodType, at: string): void => {
    const say = (words: readonly unknown[]): void => {
      const texts = words.filter(word => typeof word === 'string');
      if (texts.length > 0) choices[at] = [...(choices[at] ?? []), ...texts].sort();
    };
    if (found instanceof z.ZodOptional) walk(found.unwrap(), at);
    else if (found instanceof z.ZodPipe) walk(found.in, at);
    else if (found instanceof z.ZodUnion) found.options.forEach(option => walk(option, at));
    else if (found instanceof z.ZodEnum) say(found.options);
    else if (found instanceof z.ZodLiteral) say([...found.values]);
    else if (found instanceof z.ZodArray) walk(found.element, isObject(found.element) ? `${at}[]` : at);
    else if (found instanceof z.ZodObject) {
      for (const [name, field] of Object.entries(found.shape)) {
        walk(field as z.core.$ZodType, at === '' ? name : `${at}.${name}`);
      }
    }
  };
  walk(schema, '');
  return choices;
}

function isObject(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodObject || (schema instanceof z.ZodPipe && isObject(schema.in));
}
