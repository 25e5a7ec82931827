import { InputError } from '../../errors';
import type { Options } from '../../input/surroundings';
import { isPostgres } from '../../postgres/address';

/** Where a desired state is stored: the one address on the line, and by which flag it stands there. */
export function storedOption(verb: string, { spec = [], manifests = [] }: Options) {
  const [place, ...more] = [...spec, ...manifests];
  if (place === undefined || more.length > 0 || !isPostgres(place))
    throw new InputError(
      `${verb} needs one address of PostgreSQL: --spec postgres://pve@db.example.com/pve, or --manifests with one.`,
    );
  return { place, flag: spec.length > 0 ? ('spec' as const) : ('manifests' as const) };
}
