import { asWord } from './as-word';

/**
 * How a machine that a Terraform state holds comes to another program, in place of a move: the registry of that state keeps the
 * owner, and each of its plans compares it.
 */
export function letGoFirst({ owner, machine }: { owner: string; machine: string }): string {
  const release = `pve-reconciler release ${asWord(machine, 'ID')} --owner ${asWord(owner, 'OWNER')}`;
  return `run ${release}, which prints the lines terraform state rm; run those in the folder of that state, take the machine out of its code, then run the release with --yes`;
}
