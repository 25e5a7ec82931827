import { parseMachine } from '../../../spec';
import type { Json, Lab } from '../cluster/lab';
import { lab } from '../cluster/lab';
import { ownAddresses } from '../random/pair';
import { LAB_FIELDS } from '../random/spec';
import { withWanted } from '../spec/with-field';
import { PLAIN, runOf, secondRunFaults } from './convergence-faults';

/** One field: a machine that says it, and the same machine when it says it no more. */
interface ClearedField {
  id: string;
  /** What `clear` names: the field, or what it is a part of. */
  field: string;
  have: Json;
  want: Json;
}

/** The fields that a machine has as long as it is there: `clear` is refused for them. */
export function fieldsThatStay(): string[] {
  return LAB_FIELDS.map((_, index) => index)
    .filter(index => clearedField(index) === undefined)
    .map(index => LAB_FIELDS[index]!.field);
}

/** What went wrong with machines of which each had one field and then cleared it: they are as if it had never been said. */
export async function clearedFieldFaults(): Promise<string[]> {
  const rows = LAB_FIELDS.flatMap((_, index) => clearedField(index) ?? []);
  const cluster = await lab({ taskMs: 0, as: 'root' });
  const never = rows.map(({ id, want: { clear: _, ...rest } }) => own({ ...rest, id: `n${id}` }));
  const want = rows.map(row => row.want);
  try {
    const faults = await runOf(cluster, [...rows.map(({ have }) => have), ...never]);
    const before = rows.map(({ id }) => configOf(cluster, id));
    faults.push(...(await runOf(cluster, [...want, ...never])));
    rows.forEach(({ id, field }, index) => {
      const [now, bare] = [id, `n${id}`].map(each => withoutLeftovers(field, configOf(cluster, each)));
      if (before[index] === bare) faults.push(`${field}: saying it changed nothing`);
      if (now !== bare) faults.push(`${field}: cleared it is\n${now}\nand never said\n${bare}`);
    });
    return [...faults, ...(await secondRunFaults(cluster, want))];
  } finally {
    await cluster.close();
  }
}

function clearedField(index: number): ClearedField | undefined {
  const row = LAB_FIELDS[index]!;
  const id = `m${index}`;
  const value = row.values.find(each => JSON.stringify(each) !== '[]');
  const have = ownAddresses(withWanted({ ...PLAIN, id }, row, value), index);
  return wider(row.field)
    .map(field => ({ id, field, have, want: { ...less(have, field), clear: [field] } }))
    .find(({ want }) => parseMachine(want).ok);
}

/** `disks[data].limits.mbps`, then `disks[data].limits`; `pci[0].pcie`, then `pci`. */
function wider(field: string): string[] {
  const outer = field.replace(/(?:\.\w+|\[\d+\])$/, '');
  return outer === field || /^\w+\[[a-z]+\]$/.test(outer) ? [field] : [field, ...wider(outer)];
}

/** A copy without what is at a path. */
function less(spec: Json, field: string): Json {
  const copy = structuredClone(spec);
  const steps = field.split(/[.[\]]+/).filter(step => step !== '');
  const last = steps.pop()!;
  const holder = steps.reduce<Json | undefined>((at, step) => {
    const list = Array.isArray(at) ? (at as Json[]) : undefined;
    return list ? (list.find(({ name }) => name === step) ?? list[Number(step)]) : (at?.[step] as Json);
  }, copy);
  if (holder) delete holder[last];
  return copy;
}

function own(spec: Json): Json {
  return JSON.parse(JSON.stringify(spec).replace(/"BC:24:11/gi, '"BC:24:99')) as Json;
}

/** What a cleared field leaves, as docs say, and what a machine that never said it got when it was made. */
const LEFTOVERS: readonly [RegExp, readonly RegExp[]][] = [
  [/^cpu\./, [/"cpu":"kvm64",/]],
  [/^smbios$/, [/base64=1,/]],
  [/^cloudInit|\.(?:ipv4|ipv6|staticIP)$/, [/"ide0":"local-lvm:vm-cloudinit,media=cdrom",/, /;ide0/]],
  [/^(?:scsiController|osType|bootOrder)$/, [/"(?:scsihw|ostype|boot)":"[^"]*",/g]],
  [/^(?:bios|tpm)$/, [/"(?:efidisk0|unused0)":"[^"]*",/g, /disk-\d/g]],
];

function withoutLeftovers(field: string, text: string): string {
  const patterns = LEFTOVERS.filter(([fields]) => fields.test(field)).flatMap(([, left]) => left);
  return patterns.reduce((rest, pattern) => rest.replace(pattern, ''), text);
}

/** What Proxmox keeps of a machine, without what is another in each guest. */
function configOf({ world }: Lab, id: string): string {
  const guest = Object.values(world.guests).find(({ config }) =>
    (config['description'] ?? '').includes(`"m":"${id}"`),
  );
  const { digest: _, name: __, ...config } = { ...guest?.config };
  const [pool] = Object.entries(world.pools).find(([, { vms }]) => vms.includes(guest?.vmid ?? 0)) ?? [];
  return JSON.stringify({ ...config, pool }, [...Object.keys(config), 'pool'].sort())
    .replace(/<!-- pvr:.*?-->/, '')
    .replace(/pvr-[\w.-]+;?/g, '')
    .replace(/uuid=[\w-]+/g, 'uuid')
    .replace(/[0-9a-f]{2}(?::[0-9a-f]{2}){5}/gi, 'mac')
    .replace(/vm-\d+-/g, 'vm-')
    .replace(/"vmgenid":"[\w-]+"/g, '')
    .replace(/ctime=\d+/g, '')
    .replace(/}$/, ',}');
}
