import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ClusterSpec, MachineSpec, NodeSpec } from '../../../spec';
import { CLUSTER_PROOFS, MACHINE_PROOFS, NODE_PROOFS, type Proof } from '../../support/behaviour-proofs';
import { BEHAVIOUR_FIELDS } from '../../support/machine-fields';
import { schemaFields } from '../../support/schema-fields';

const root = path.resolve(__dirname, '..', '..', '..');
const says = (proof: Proof): string => ('test' in proof ? proof.test : 'run by this test');

/** The fields that say how we act: the others reach Proxmox, or are refused, and every-field.test.ts runs them. */
const isBehaviour = (field: string): boolean =>
  Object.keys(BEHAVIOUR_FIELDS).some(
    known => known === field || (known.endsWith('.*') && field.startsWith(known.slice(0, -1))),
  );
const within = (field: string): boolean => !field.startsWith('defaults.');

describe.each([
  ['a machine', MACHINE_PROOFS, schemaFields(MachineSpec).filter(isBehaviour)],
  ['a cluster', CLUSTER_PROOFS, [...schemaFields(ClusterSpec).filter(within), 'defaults']],
  ['a node', NODE_PROOFS, schemaFields(NodeSpec)],
])('every field of %s that says how we act', (what, proofs, fields) => {
  test('has what shows that it works, and none is invented', () => {
    if (process.env['PRINT_FIELDS'] !== undefined) {
      process.stdout.write(
        `${fields.map(field => `${what} | ${field} | ${says(proofs[field] ?? { test: '-' })}`).join('\n')}\n`,
      );
    }
    expect(Object.keys(proofs).sort()).toEqual([...new Set(fields)].sort());
  });

  test.each(Object.entries(proofs))('%s changes what is done', async (field, proof) => {
    if ('test' in proof) {
      const last = field.split('.').at(-1)?.replace('[]', '') ?? '';
      const file = path.join(root, proof.test);
      expect([proof.test, existsSync(file)]).toEqual([proof.test, true]);
      expect(readFileSync(file, 'utf8')).toMatch(RegExp(`\\b${last}\\b`));
      return;
    }
    const results = (await proof.differ()).map(result => JSON.stringify(result));
    expect(results.length).toBeGreaterThan(1);
    expect(new Set(results).size).toBe(results.length);
  });
});
