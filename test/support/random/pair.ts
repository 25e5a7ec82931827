import { dice } from './dice';
import type { Json } from '../cluster/lab';
import type { WantedField } from '../spec/machine-fields';
import { PAIR_FIELDS, randomSpec } from './spec';
import { withField } from '../spec/with-field';

const BASE: Json = {
  image: { blank: true },
  node: 'pve1',
  memory: '512Mi',
  disks: [
    { name: 'root', size: '2Gi', storage: 'local-lvm' },
    { name: 'data', size: '1Gi', storage: 'local-lvm' },
  ],
  networks: [{ name: 'lan' }],
};

/** What a guest is created with, the same in both specs. */
const CREATES: readonly Json[] = [
  {},
  { bios: 'uefi', efiDisk: { type: '2m', microsoftCertificates: '2023' }, tpm: { version: 'v1.2' } },
  { bios: 'ovmf', secureBoot: true },
  { tpm: { format: 'raw' } },
];

/** What a machine is first, and what is wanted of it next; each seed brings another field. `over`: what both say. */
export function randomPair(seed: number, over: Json = {}): { have: Json; want: Json; field: string } {
  const row = PAIR_FIELDS[seed % PAIR_FIELDS.length] as WantedField;
  const base = {
    ...BASE,
    ...CREATES[(seed >> 2) % CREATES.length],
    id: `m${seed}`,
    power: ['running', 'stopped', 'running', 'stopped', 'unmanaged'][seed % 5],
    restart: seed % 3 === 0 ? 'never' : 'whenNeeded',
    shutdownTimeout: '1s',
    ...over,
  };
  const spec = (turn: number): Json => {
    const sized = withField(base, 'disks[data].size', sizeOf(seed, turn));
    const said = randomSpec(dice(seed * 2 + turn), sized, row, row.values);
    return { ...ownAddresses(said, seed), name: `m${seed}-${turn}` };
  };
  const have = spec(1);
  return { have, want: keepingProtected(have, spec(2)), field: row.field };
}

/** The first size, and now and then a larger one. */
function sizeOf(seed: number, turn: number): string {
  return turn === 2 && seed % 4 === 0 ? ['2Gi', '3073Mi'][(seed >> 2) % 2]! : '1Gi';
}

/** A guest that stays protected keeps its disks: their removal would be refused. */
function keepingProtected(have: Json, want: Json): Json {
  if (have['protection'] !== true || want['protection'] === false) return want;
  const disks = want['disks'] as Json[];
  const names = disks.map(({ name }) => name);
  return {
    ...want,
    disks: [...disks, ...(have['disks'] as Json[]).filter(({ name }) => !names.includes(name))],
  };
}

/** Addresses that no other machine has. */
export function ownAddresses(spec: Json, seed: number): Json {
  const hex = (seed % 65_536).toString(16).padStart(4, '0');
  const text = JSON.stringify(spec)
    .replaceAll('192.0.2.', `10.${(seed >> 8) % 256}.${seed % 256}.`)
    .replaceAll('2001:db8::', `2001:db8:${hex}::`)
    .replaceAll('BC:24:11:00:00:', `BC:24:${hex.slice(0, 2)}:${hex.slice(2)}:00:`)
    .replaceAll('bc-24-11-00-00-', `bc-24-${hex.slice(0, 2)}-${hex.slice(2)}-00-`);
  return JSON.parse(text) as Json;
}
