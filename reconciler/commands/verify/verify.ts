import { InputError } from '../../errors';
import type { Options, Surroundings } from '../../input/surroundings';
import { EXIT } from '../../report/exit-code';
import { oneLine } from '../../report/visible';
import { carriedIn, type Carried } from './carried';
import { knownReleases, type Release } from './releases';

/** What is said of one reconciler in one folder. */
interface Verified extends Carried {
  place: string;
  /** Absent: it is that of no release we know. */
  release?: { version: string; date: string };
}

/** Says which release's reconciler travels in a folder. It reads files, asks nobody, and runs none of what it reads. */
export async function verify(around: Surroundings, options: Options, places: string[]): Promise<number> {
  if (places.length === 0)
    throw new InputError(
      'Say which folder is meant: pve-reconciler verify cdktf.out/stacks/web. Nothing was read.',
    );
  const releases = await knownReleases(options.releases);
  const all: Verified[] = [];
  for (const place of places)
    for (const carried of await carriedIn(place)) all.push(verified(place, carried, releases));
  const shown = all.filter(({ isUncalled, release }) => !isUncalled || !release);
  around.out(
    options.json === true
      ? `${JSON.stringify({ reconcilers: shown }, undefined, 2)}\n`
      : textOf(shown, releases),
  );
  return shown.every(({ release }) => release !== undefined) ? EXIT.done : EXIT.refused;
}

function verified(place: string, carried: Carried, releases: readonly Release[]): Verified {
  const found = releases.find(({ files }) => {
    const names = Object.keys(files);
    return (
      names.length > 0 &&
      carried.missing.length === 0 &&
      names.every(name => carried.hashes[name] === files[name])
    );
  });
  return { place, ...carried, ...(found && { release: { version: found.version, date: found.date } }) };
}

function textOf(all: readonly Verified[], releases: readonly Release[]): string {
  const known = releases.map(({ version }) => version).join(', ') || 'none';
  return all.map(each => `${oneLine(`${each.place}: ${verdictOf(each, known)}`)}\n${filesOf(each)}`).join('');
}

function verdictOf({ release, missing, isAsNamed, isUncalled, stray }: Verified, known: string): string {
  if (release) return `release ${release.version} (${release.date})`;
  const again = 'Synthesize the stack again with a released package';
  if (stray !== undefined)
    return `not a release: ${stray}, and no synth writes a file of this name. Find out who wrote it, and do not apply. ${again}.`;
  if (isUncalled)
    return `not a release, and the code does not call it. Find out who wrote it. Remove it where an earlier synth left it, and verify again.`;
  if (missing.length > 0)
    return `not a release: ${missing.join(', ')} is missing. ${again}, or write the module again.`;
  if (isAsNamed === false)
    return `not a release: changed after it was synthesized. Find out who wrote it, and do not apply. ${again}.`;
  return `not a release: built from a clone, or of a release that this list does not have. Known: ${known}. ${again}, or verify with a newer one.`;
}

function filesOf({ files }: Verified): string {
  return files.map(({ file, sha256 }) => `  ${sha256}  ${oneLine(file)}\n`).join('');
}
