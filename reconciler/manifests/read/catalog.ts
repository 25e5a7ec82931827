import { closest, isRecord, type Path } from '../../../spec';
import type { Role } from './kinds';
import { placeIn, type Manifest } from './manifest';
import type { Problems } from './problems';
import type { ManifestOfKind } from './manifest-head';

/** Clusters choose variables of the environment by their names: one name is one cluster in all namespaces. */
const EVERYWHERE: readonly Role[] = ['cluster', 'provider'];
const SHARED: Readonly<Partial<Record<Role, Role>>> = { provider: 'cluster', clone: 'machine' };

/** All manifests of a run, by what they are called. */
export class Catalog {
  private readonly byName = new Map<string, ManifestOfKind>();
  private readonly namesOf = new Map<string, string[]>();
  private readonly byRoles = new Map<string, Manifest[]>();

  constructor(
    private readonly problems: Problems,
    readonly all: readonly ManifestOfKind[],
  ) {
    for (const known of all) {
      const { manifest, kind } = known;
      const key = keyOf(kind.role, manifest.namespace, manifest.name);
      const first = this.byName.get(key)?.manifest;
      if (first === undefined) {
        this.byName.set(key, known);
        const place = keyOf(kind.role, manifest.namespace);
        const names = this.namesOf.get(place) ?? [];
        this.namesOf.set(place, names);
        names.push(manifest.name);
      } else {
        const where = `also at ${placeIn(first, ['metadata', 'name'])}`;
        const remedy = 'Keep one of both, or give it another name.';
        problems.add(manifest, { path: ['metadata', 'name'], reason: `is given twice, ${where}`, remedy });
      }
    }
  }

  /** Asked for each machine: found once. */
  of(...roles: Role[]): readonly Manifest[] {
    const key = roles.join(' ');
    const known = this.byRoles.get(key);
    if (known !== undefined) return known;
    const found = this.all.filter(({ kind }) => roles.includes(kind.role)).map(({ manifest }) => manifest);
    this.byRoles.set(key, found);
    return found;
  }

  find(role: Role, namespace: string, name: string): Manifest | undefined {
    return this.byName.get(keyOf(role, namespace, name))?.manifest;
  }

  names(role: Role, namespace: string): readonly string[] {
    return this.namesOf.get(keyOf(role, namespace)) ?? [];
  }

  /** What a reference such as `{name, namespace}` names. A wrong or dangling one is reported. */
  referred(manifest: Manifest, path: Path, reference: unknown, role: Role): Manifest | undefined {
    const named = nameIn(manifest, path, reference, this.problems);
    if (named === undefined) return undefined;
    const found = this.find(role, named.namespace, named.name);
    if (found === undefined) this.dangling(manifest, [...path, 'name'], { ...named, role });
    return found;
  }

  dangling(
    manifest: Manifest,
    path: Path,
    { name, namespace, role, mend }: { name: string; namespace: string; role: Role; mend?: string },
  ): void {
    const names = this.names(role, namespace);
    const near = closest(name, names);
    const elsewhere = this.all.find(
      ({ kind, manifest: { name: other } }) => isSame(kind.role, role) && other === name,
    );
    const beside =
      elsewhere === undefined ? '' : ` There is one in namespace ${elsewhere.manifest.namespace}.`;
    const reason = `${JSON.stringify(name)} names no ${role} of namespace ${namespace}`;
    const remedy =
      near === undefined ? (mend ?? 'Add its manifest, or name another.') : `Did you mean "${near}"?`;
    const allowed = names.join(', ') || 'none';
    this.problems.add(manifest, { path, reason, allowed, remedy: remedy + beside });
  }
}

/** The name of a reference. */
export function nameIn(
  manifest: Manifest,
  path: Path,
  reference: unknown,
  problems: Problems,
): { name: string; namespace: string } | undefined {
  const named = namedBy(manifest, reference);
  if (named === undefined)
    problems.add(manifest, { path, allowed: '{name, namespace}', remedy: 'Name what it refers to.' });
  return named;
}

/** What `{name, namespace}` names; undefined where it is another thing. */
export function namedBy(
  manifest: Manifest,
  reference: unknown,
): { name: string; namespace: string } | undefined {
  const { name, namespace: said, ...rest } = isRecord(reference) ? reference : {};
  const namespace = said ?? manifest.namespace;
  const isName = typeof name === 'string' && typeof namespace === 'string';
  return isName && Object.keys(rest).length === 0 ? { name, namespace } : undefined;
}

function isSame(one: Role, other: Role): boolean {
  return (SHARED[one] ?? one) === (SHARED[other] ?? other);
}

function keyOf(role: Role, namespace: string, name?: string): string {
  return JSON.stringify([SHARED[role] ?? role, EVERYWHERE.includes(role) ? '' : namespace, name]);
}
