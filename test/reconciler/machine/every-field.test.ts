import { MachineSpec } from '../../../spec';
import { machine } from '../../support/spec/machine';
import { BEHAVIOUR_FIELDS, WANTED_FIELDS } from '../../support/spec/machine-fields';
import { cluster, planContext, planMachine } from '../../support/reconciler/observed';
import { schemaFields } from '../../support/spec/schema-fields';
import { withWanted } from '../../support/spec/with-field';

const general = (field: string): string => field.replace(/\[[^\]]+\]/g, '[]');
const covers = (known: string, field: string): boolean =>
  known === field || (known.endsWith('.*') && field.startsWith(known.slice(0, -1)));

/** Fields whose values are whole objects or lists in the table above: what is inside goes with them. */
const WHOLE = ['networks[].ipv4', 'networks[].ipv6', 'networks[].staticIP', 'usb', 'serial'];

describe('every field of a machine', () => {
  const wanted = WANTED_FIELDS.map(({ field, schema }) => schema ?? general(field));
  const known = [
    ...wanted,
    ...Object.keys(BEHAVIOUR_FIELDS),
    ...WHOLE.flatMap(field => [field, `${field}.*`]),
  ];
  const fields = [...new Set(schemaFields(MachineSpec))];

  it('is found by the walk', () => {
    expect(fields).toEqual(
      expect.arrayContaining(['cpu.cores', 'disks[].limits.mbps', 'agent', 'agent.type', 'tags']),
    );
    expect(fields.length).toBeGreaterThan(190);
  });

  it('is wanted, or is behaviour: none is left out', () => {
    const left = fields.filter(field => !known.some(name => covers(name, field)));
    expect(left).toEqual([]);
  });

  it('is one of the two, not both', () => {
    const twice = Object.keys(BEHAVIOUR_FIELDS).filter(field => wanted.includes(field));
    expect(twice).toEqual([]);
  });

  it('is a field that the schema has', () => {
    const said = [...wanted, ...Object.keys(BEHAVIOUR_FIELDS)];
    const invented = said.filter(
      name => !fields.some(field => covers(name, field) || field.startsWith(name)),
    );
    expect(invented).toEqual([]);
  });
});

describe('what is wanted', () => {
  const base = {
    disks: [
      { name: 'root', size: '8Gi', storage: 'slow' },
      { name: 'data', size: '4Gi', storage: 'slow' },
    ],
    networks: [{ name: 'lan' }],
  };

  it.each(WANTED_FIELDS.map(row => [row.field, row] as const))('%s reaches Proxmox', (_, row) => {
    const sent = row.values.map(value => {
      const spec = machine(withWanted(base, row, value));
      return JSON.stringify(planMachine(spec, { kind: 'absent' }, cluster(), planContext()).actions);
    });
    const without = JSON.stringify(
      planMachine(machine({ ...base }), { kind: 'absent' }, cluster(), planContext()).actions,
    );
    expect(sent.some(actions => actions !== without)).toBe(true);
  });
});
