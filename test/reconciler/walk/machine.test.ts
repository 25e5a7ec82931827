import { MachineSpec } from '../../../spec';
import { machine } from '../../support/spec/machine';
import { WANTED_FIELDS, type WantedField } from '../../support/spec/machine-fields';
import { cluster, planContext, planMachine } from '../../support/reconciler/observed';
import { schemaFields } from '../../support/spec/schema-fields';
import { withField, withWanted } from '../../support/spec/with-field';
import { MACHINE_ROWS } from './machine-rows';
import { PLACE_ROWS } from './place-rows';
import { absent, type Json } from './planned';
import type { Proof } from './proof';
import { walk } from './walk';

const BASE = {
  disks: [
    { name: 'root', size: '8Gi', storage: 'slow' },
    { name: 'data', size: '4Gi', storage: 'slow' },
  ],
  networks: [{ name: 'lan' }],
};
const general = (field: string): string => field.replace(/\[[^\]]+\]/g, '[]');

/** What is sent for a machine with the field, and for one that lacks nothing but the field. */
function sends({ field, values, base = {}, also = {} }: WantedField): Proof {
  const sent = (spec: Json): unknown => planMachine(machine(spec), absent, cluster(), planContext()).actions;
  const without = Object.entries(also).reduce((spec: Json, [name, value]) => withField(spec, name, value), {
    ...base,
    ...BASE,
  });
  return {
    differ: () => {
      const others = values.map(value => sent(withWanted(BASE, { field, base, also }, value)));
      // what its object must have cannot be left out: its values are compared with one another
      if (!MachineSpec.safeParse({ id: 'web', ...without }).success) return others;
      const plain = sent(without);
      return [plain, others.find(other => JSON.stringify(other) !== JSON.stringify(plain)) ?? plain];
    },
  };
}

/** Their parts alone are fields. */
const WHOLE = ['networks[lan].staticIP', 'usb'];

/** Fields of a guest; those of which a value is a whole object have their parts in the other tables. */
const SENT = Object.fromEntries(
  WANTED_FIELDS.filter(({ field }) => !WHOLE.includes(field)).map(row => [
    row.schema ?? general(row.field),
    sends(row),
  ]),
);

walk('field of a machine', schemaFields(MachineSpec), {
  ...SENT,
  ...PLACE_ROWS,
  ...MACHINE_ROWS,
});
