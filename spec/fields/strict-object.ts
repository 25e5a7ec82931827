import * as z from 'zod';
import type { wants } from './wants';

/**
 * An object that takes no other fields than these. They are made when they are first asked for: a program that starts
 * pays only for the fields that it parses. `told`: what is said of a value that is no object.
 */
export function strictObject<S extends z.core.$ZodLooseShape>(
  fields: () => S,
  told?: ReturnType<typeof wants>,
): z.ZodObject<S, z.core.$strict>;
export function strictObject(
  fields: () => z.core.$ZodLooseShape,
  told?: ReturnType<typeof wants>,
): z.ZodObject {
  return new z.ZodObject({
    type: 'object',
    get shape() {
      const value = fields();
      Object.defineProperty(this, 'shape', { value, enumerable: true });
      return value;
    },
    catchall: z.never(),
    ...told,
  });
}
