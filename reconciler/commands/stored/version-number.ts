import { InputError } from '../../errors';

/** The number of a version on a line. Undefined: none stands there. */
export function versionNumber(
  line: string,
  given: string | undefined,
  { least }: { least: 0 | 1 },
): number | undefined {
  if (given === undefined) return undefined;
  if (/^(?:0|[1-9]\d{0,8})$/.test(given) && Number(given) >= least) return Number(given);
  throw new InputError(
    `${line} ${given} is no number of a version, such as 3. get --history tells which there are.`,
  );
}
