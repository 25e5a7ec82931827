import { isRecord } from '../../spec';
import type { Catalog } from './read/catalog';
import type { Role } from './read/kinds';
import type { Parts } from './machines';
import type { Manifest } from './read/manifest';
import { classOf, imageOf, policyOf } from './parts';
import type { Known } from './read/read-manifest';
import type { Reading } from './read/rows';

/** The classes, images and policies of a run: each is checked, also one that nobody names. */
export function partsOf(catalog: Catalog, reading: Omit<Reading, 'manifest'>): Parts {
  const each = <T>(role: Role, read: (known: Known, reading: Omit<Reading, 'manifest'>) => T | undefined) =>
    new Map<Manifest, T>(
      catalog.all
        .filter(({ kind }) => kind.role === role)
        .flatMap(known => {
          const part = read(known, reading);
          return part === undefined ? [] : [[known.manifest, part] as const];
        }),
    );
  return {
    classes: each('class', classOf),
    images: each('image', imageOf),
    policies: each('policy', policyOf),
  };
}

/** A policy that nobody names decides nothing, and nothing in it shows that: it is said. */
export function idlePolicies(catalog: Catalog): string[] {
  const named = new Set(
    catalog.of('machine', 'clone').map(({ spec: { placementRef }, namespace }) => {
      const { name, namespace: said } = isRecord(placementRef) ? placementRef : {};
      return `${String(said ?? namespace)}/${String(name)}`;
    }),
  );
  return catalog
    .of('policy')
    .filter(({ name, namespace }) => !named.has(`${namespace}/${name}`))
    .map(({ name }) => `VMPlacementPolicy ${name}: does nothing, as no machine names it in placementRef.`);
}
