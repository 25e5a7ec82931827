import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { notesOf } from './changelog.mjs';
import { done, ReleaseError, tried } from './command.mjs';
import { sha256 } from './list.mjs';
import { writeSbom } from './sbom.mjs';

/** Each package, and where it is made. */
const PACKAGES = {
  'cdktf-proxmox': '.',
  'cdktn-proxmox': 'dist/cdktn-proxmox',
  'pve-simulator': 'simulator',
};
/** What npm says where the registry cannot be asked, which is no fault of the package. */
const NO_REGISTRY = /E(NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|AI_AGAIN|HOSTUNREACH|40[13]|5\d\d|NEEDAUTH)\b/;

/**
 * Makes all that a release publishes, in an empty folder: the packages, what is in them, notes, and the SHA-256 of each.
 * Publishes nothing. @param {string} folder @param {string} version @param {string} out @param {(text: string) => void} say
 */
export function makeArtifacts(folder, version, out, say) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, place] of Object.entries(PACKAGES)) {
    const [pack] = JSON.parse(
      done(path.join(folder, place), 'npm', 'pack', '--json', '--pack-destination', out),
    );
    const tarball = `${name}-${version}.tgz`;
    if (pack.filename !== tarball) throw new ReleaseError(`npm pack made ${pack.filename}, not ${tarball}.`);
    say(`${tarball}: ${pack.files.length} files, ${pack.size} bytes`);
    writeSbom(folder, place, version, path.join(out, `${name}-${version}.cdx.json`));
    say(publishDry(out, tarball));
  }
  writeFileSync(
    path.join(out, 'notes.md'),
    notesOf(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8'), version),
  );
  const sums = readdirSync(out)
    .sort()
    .map(name => `${sha256(path.join(out, name))}  ${name}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''));
}

/** @param {string} out @param {string} tarball */
function publishDry(out, tarball) {
  const { ok, said } = tried(out, 'npm', 'publish', '--dry-run', '--access', 'public', `./${tarball}`);
  if (ok) return `npm publish --dry-run ${tarball}: accepted`;
  const [, code] = NO_REGISTRY.exec(said) ?? [];
  if (code)
    return `npm publish --dry-run ${tarball}: could not run here, the registry does not answer (E${code})`;
  throw new ReleaseError(`npm publish --dry-run ${tarball} failed:\n${said.trim()}\nNothing was published.`);
}
