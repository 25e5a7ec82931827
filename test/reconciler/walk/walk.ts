import { seenBy, type Proof } from './proof';

/**
 * Walks every name that a schema, a type or a program knows: each has a row, and each row shows what it does.
 * PRINT_FIELDS=1 prints the table.
 */
export function walk(what: string, names: readonly string[], rows: Readonly<Record<string, Proof>>): void {
  const table: string[] = [];
  describe(`every ${what}`, () => {
    test('has a row, and none is invented', () => {
      expect(Object.keys(rows).sort()).toEqual([...new Set(names)].sort());
    });

    test.each(Object.entries(rows))('%s', async (name, proof) => {
      const seen = await seenBy(name, proof);
      table.push(`${what} | ${name} | ${seen}`);
      expect(seen).not.toBe('');
    });

    afterAll(() => {
      if (process.env['PRINT_FIELDS'] !== undefined) process.stdout.write(`${table.join('\n')}\n`);
    });
  });
}
