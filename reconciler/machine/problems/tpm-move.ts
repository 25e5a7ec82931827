import { readDrive } from '../../guest/drive';
import type { Problem } from '../problem';
import type { Scene } from '../scene';

/** PVE: "cannot move TPM state while VM is running". Everything else moves live. */
export function tpmMoveProblems({ spec, current }: Scene): Problem[] {
  const to = spec.tpm?.storage;
  const from = current.tpmstate0 === undefined ? undefined : readDrive(current.tpmstate0).storage;
  if (to === undefined || from === undefined || to === from) return [];
  return [
    {
      field: 'tpm.storage',
      from,
      to,
      why: 'tpm-running',
      detail: `The TPM's state is on ${from} and cannot move to ${to} while the machine runs.`,
      remedy: 'Set power to stopped and apply that, then apply this, then set power back.',
    },
  ];
}
