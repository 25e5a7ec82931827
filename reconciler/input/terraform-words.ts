import path from 'node:path';
import { isRecord, type DesiredState, type Path } from '../../spec';
import { InputError } from '../errors';
import { shellWord } from '../report/shell-word';

/** What a synthesized stack has where Terraform is to name its workspace. No shell takes it: such a name has no dot. */
const WORKSPACE = '${terraform.workspace}';

/** Whether only Terraform knows who this owner is. */
function isOwnerOfTerraform(owner: string): boolean {
  return owner.includes('${');
}

/** Throws for such an owner: nobody has its machines, and Terraform would make them again. */
export function refuseOwnerOfTerraform(owner: unknown, where: string): void {
  if (typeof owner !== 'string' || !isOwnerOfTerraform(owner)) return;
  throw new InputError(`${where}: ${JSON.stringify(owner)} holds a value of Terraform. ${WRITE} ${SENT}`);
}

const WRITE = 'Write the owner out.';
const SENT = 'Nothing was sent.';

/** The places of a desired state at which Terraform is to write what it knows, each with what to give instead. */
export function terraformWords(state: DesiredState, file: string): { path: Path; says: string }[] {
  const { owner, machines } = state;
  const remedy = remedyFor(file);
  const says = (what: string, text: string): string =>
    `${what}: ${JSON.stringify(text)} holds a value that only Terraform knows. ${remedy} ${SENT}`;
  return [
    ...(isOwnerOfTerraform(owner) ? [{ path: ['owner'], says: says('owner', owner) }] : []),
    ...machines.flatMap((machine, at) =>
      holding(machine, []).map(place => ({
        path: ['machines', at, ...place],
        says: says(`machine ${machine.id}, ${place.join('.')}`, WORKSPACE),
      })),
    ),
  ];
}

/** A stack keeps its desired states in a folder `proxmox`. */
function remedyFor(file: string): string {
  const place = path.dirname(file);
  const isOfStack = path.basename(place) === 'proxmox' && file.endsWith('.json');
  const folder = isOfStack ? shellWord(path.dirname(place)) : 'cdktf.out/stacks/web';
  return isOfStack
    ? `Give the folder of the stack instead of its file: --spec ${folder}.`
    : `Write it out, or give the folder of the stack, such as --spec ${folder}.`;
}

function holding(value: unknown, at: Path): Path[] {
  if (typeof value === 'string') return value.includes(WORKSPACE) ? [at] : [];
  if (Array.isArray(value)) return value.flatMap((part: unknown, index) => holding(part, [...at, index]));
  return isRecord(value) ? Object.entries(value).flatMap(([key, part]) => holding(part, [...at, key])) : [];
}
