import { documentsOf } from '../../support/manifests/documents-of';
import { canonical, formatProblems, parseMachine } from '../../../spec';
import { WANTED_FIELDS } from '../../support/spec/machine-fields';
import { withWanted } from '../../support/spec/with-field';

const base = {
  id: 'web',
  disks: ['root', 'data'].map(name => ({ name, size: '4Gi', storage: 'slow' })),
  networks: [{ name: 'lan' }],
};
const rows = WANTED_FIELDS.flatMap(row =>
  row.values.map((value): [string, string, object] => [
    row.field,
    plainly(value),
    withWanted(base, row, value),
  ]),
);

test.each(rows)(
  '%s: %s means in YAML what it means in JSON, or is to be put in quotes',
  async (_, __, json) => {
    const [document] = await documentsOf(plainly(json), 'web.yaml');
    const [wanted, read] = [parseMachine(json), parseMachine(document?.json)];
    if (read.ok) expect(canonical(read.value)).toBe(wanted.ok && canonical(wanted.value));
    else expect(formatProblems(read.problems)).toMatch(/ Put it in quotes/);
  },
);

/** YAML as people write it: quotes only where nothing else will do. */
function plainly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainly).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, inner]) => `${key}: ${plainly(inner)}`)
      .join(', ')}}`;
  }
  return typeof value === 'string' && !/^\w[\w ./:;@=+-]*$/.test(value)
    ? JSON.stringify(value)
    : String(value);
}
