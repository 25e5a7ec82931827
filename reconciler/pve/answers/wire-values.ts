import * as z from 'zod';

/** A switch. Proxmox writes 1 and 0, in some lists 1 and '' (recording c1); other servers write JSON booleans or texts. */
export const flag = z
  .union([z.boolean(), z.literal([0, 1, '0', '1', '', 'true', 'false'])], 'expected 1 or 0')
  .transform(value => value === true || value === 1 || value === '1' || value === 'true');

/** A number, also where it is written as text; Perl writes very small and very large ones as 5.2e-05. */
export const count = z
  .union(
    [z.number(), z.string().regex(/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i, 'expected a number')],
    'expected a number',
  )
  .transform(Number);

/** A measured number, by which no guest is known: one that cannot be read is not said, and the rest of its row is. */
export const figure = count.optional().catch(undefined);

/** The number of a guest: it stands in paths and decides who is meant. */
export const vmid = count.refine(
  value => Number.isSafeInteger(value) && value > 0,
  'expected the id of a guest',
);

/** A text, also where it is written as a number or a switch. */
export const text = z
  .union([z.string(), z.number(), z.boolean()], 'expected a text')
  .transform(value => (typeof value === 'boolean' ? String(Number(value)) : String(value)));

/** No data, where nothing is reported but that it was done. */
export const nothing = z
  .union([z.null(), z.undefined(), z.literal('')], 'expected null')
  .transform(() => null);

/** An object; some servers write an empty list where it has no keys. */
export function objectOf<T>(shape: z.ZodType<T>) {
  return z.preprocess(given => (Array.isArray(given) && given.length === 0 ? {} : given), shape);
}

/** An object of which all may be missing: what is null in it is not said, and null as a whole says nothing. */
export function optionsOf<T>(shape: z.ZodType<T>) {
  return z.preprocess(given => {
    if (given === null || (Array.isArray(given) && given.length === 0)) return {};
    if (typeof given !== 'object' || Array.isArray(given)) return given;
    return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  }, shape);
}

/** An object by keys that nobody knows beforehand. */
export function recordOf<T>(value: z.ZodType<T>) {
  return objectOf(z.record(z.string(), value, 'expected an object'));
}

/** The texts, numbers and switches of an object, as texts. */
export function textsOf(given: object): Record<string, string> {
  const said = Object.entries(given).map(([key, value]) => [key, text.safeParse(value).data] as const);
  return Object.fromEntries(said.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
}

/** The rows of a list. What is null in them is not said. */
export function rowsOf<T>(row: z.ZodType<T>) {
  return rows(row, value => value !== null);
}

/** The rows of a listing, where an empty text says nothing either. `concerns`: rows of another kind are passed over. */
export function listingOf<T>(row: z.ZodType<T>, concerns?: (row: object) => boolean) {
  return rows(row, value => value !== null && value !== '', concerns);
}

/** Ends at the first row that cannot be read: an answer may hold a million of them. */
function rows<T>(
  row: z.ZodType<T>,
  says: (value: unknown) => boolean,
  concerns: (row: object) => boolean = () => true,
) {
  const saidIn = (given: object): object =>
    Object.fromEntries(Object.entries(given).filter(([, value]) => says(value)));
  return z.array(z.unknown(), 'expected a list').transform((all, context): T[] => {
    const read: T[] = [];
    for (const [index, given] of all.entries()) {
      const said = typeof given === 'object' && given !== null ? saidIn(given) : given;
      if (typeof said === 'object' && said !== null && !concerns(said)) continue;
      const one = row.safeParse(said);
      if (!one.success) {
        one.error.issues.slice(0, 3).forEach(({ path, message }) => {
          context.addIssue({ code: 'custom', path: [index, ...path], message });
        });
        return z.NEVER;
      }
      read.push(one.data);
    }
    return read;
  });
}
