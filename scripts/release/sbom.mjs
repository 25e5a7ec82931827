import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { done, ReleaseError } from './command.mjs';

/** @typedef {{ name: string, version: string, group?: string }} Part */

/** @param {Part} part */
const wholeName = ({ group, name }) => (group ? `${group}/${name}` : name);

/**
 * What a package holds of others, as CycloneDX: what it installs, and what is inside of its programs. npm names all
 * packages of the clone, and with `--omit dev` none that is bundled; so it is chosen here, by the notices in the programs.
 * @param {string} folder @param {string} place Of the package, in the folder. @param {string} version @param {string} file
 */
export function writeSbom(folder, place, version, file) {
  const sbom = JSON.parse(done(folder, 'npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const { name, dependencies = {} } = JSON.parse(
    readFileSync(path.join(folder, place, 'package.json'), 'utf8'),
  );
  const installed = Object.keys(dependencies);
  const programs = path.join(folder, place, 'dist');
  const bundled = readdirSync(programs)
    .filter(each => each.endsWith('.cjs'))
    .flatMap(each => bundledIn(path.join(programs, each)));
  const isShipped = (/** @type {Part} */ part) =>
    installed.includes(wholeName(part)) || bundled.includes(`${wholeName(part)} ${part.version}`);
  const components = sbom.components.filter(isShipped);
  for (const each of components) {
    // it is in what a user runs, wherever our own manifest lists it
    each.properties = each.properties?.filter(
      (/** @type {{ name: string }} */ one) => !one.name.endsWith(':development'),
    );
  }
  const named = components.map(wholeName);
  const missing = bundled.filter(one => !named.includes(one.split(' ')[0]));
  if (missing.length > 0)
    throw new ReleaseError(
      `bundled, and not in npm's list of packages: ${missing.join(', ')}. Nothing was published.`,
    );
  const ref = `${name}@${version}`;
  const refs = components.map((/** @type {{ 'bom-ref': string }} */ each) => each['bom-ref']);
  sbom.metadata.component = {
    ...sbom.metadata.component,
    'bom-ref': ref,
    name,
    version,
    purl: `pkg:npm/${ref}`,
  };
  sbom.components = components;
  sbom.dependencies = [
    { ref, dependsOn: refs },
    ...refs.map((/** @type {string} */ one) => ({ ref: one, dependsOn: [] })),
  ];
  writeFileSync(file, `${JSON.stringify(sbom, null, 2)}\n`);
}

/** "name version" of each package inside of a program: each has its licence there. @param {string} program */
function bundledIn(program) {
  const text = readFileSync(program, 'utf8');
  return [...text.matchAll(/^\/\* This file contains (\S+ \S+):$/gm)].map(([, one = '']) => one);
}
