import { createHash, randomBytes } from 'node:crypto';

/** Who makes a guest: the machine, and the Terraform entry where there is one. */
interface Maker {
  owner: string;
  ids: readonly string[];
  entry?: string;
}

const SHAPE = /^([\da-f]{8})-([\da-f]{4})-8([\da-f]{3})-8([\da-f]{3})-([\da-f]{4})([\da-f]{8})$/;

/**
 * A uuid for a guest that is made: 48 bits of chance, and two sums over them, of the machine and of the Terraform entry
 * that makes it. So a guest whose mark was edited away still proves whose it is. A copy has a uuid of Proxmox's own.
 */
export function machineUuid({ owner, ids: [id = ''], entry }: Maker): string {
  const chance = randomBytes(6).toString('hex');
  const ofMachine = sumOfMachine(chance, owner, id);
  const head = `${chance.slice(0, 8)}-${chance.slice(8)}-8${ofMachine.slice(0, 3)}-8${ofMachine.slice(3, 6)}`;
  return `${head}-${ofMachine.slice(6)}${sumOfEntry(chance, entry)}`;
}

/** Whether a uuid was chosen for this machine, by one of the ids that it has or had. */
export function isMadeFor(uuid: string | undefined, { owner, ids }: Pick<Maker, 'owner' | 'ids'>): boolean {
  const parts = partsOf(uuid);
  return parts !== undefined && ids.some(id => sumOfMachine(parts.chance, owner, id) === parts.ofMachine);
}

/** Whether the run that chose a uuid had this Terraform entry; undefined: it had none. */
export function isMadeBy(uuid: string | undefined, entry: string | undefined): boolean {
  const parts = partsOf(uuid);
  return parts !== undefined && parts.ofEntry === sumOfEntry(parts.chance, entry);
}

interface Parts {
  chance: string;
  ofMachine: string;
  ofEntry: string;
}

function partsOf(uuid: string | undefined): Parts | undefined {
  const [, one, two, a, b, c, ofEntry] = SHAPE.exec(uuid?.toLowerCase() ?? '') ?? [];
  if (ofEntry === undefined) return undefined;
  return { chance: `${one}${two}`, ofMachine: `${a}${b}${c}`, ofEntry };
}

function sumOfMachine(chance: string, owner: string, id: string): string {
  return sumOf(['machine', chance, owner, id], 10);
}

function sumOfEntry(chance: string, entry = ''): string {
  return sumOf(['entry', chance, entry], 8);
}

function sumOf(words: readonly string[], digits: number): string {
  return createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, digits);
}
