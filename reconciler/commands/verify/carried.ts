import { createHash } from 'node:crypto';
import path from 'node:path';
import { readNamed } from '../../config/named-file';
import { InputError } from '../../errors';
import { fileText, isFolder, namesIn } from '../../input/file-text';

/** A reconciler of another release may be larger than ours. */
const MOST_PROGRAM_BYTES = 64 * 2 ** 20;
/** What Terraform calls, and what that loads; in a stack both names hold a hash of both. */
const FILE = /^(reconciler(?:-program)?)(?:\.([0-9a-f]{12}))?\.cjs$/;
const KINDS = ['reconciler', 'reconciler-program'];
/** Where a stack says what Terraform calls: in JSON, or in HCL. */
const STACK_FILES = ['cdk.tf.json', 'cdk.tf'];

/** A reconciler that lies in a folder: its files, and the SHA-256 of each by the name that it has in the package. */
export interface Carried {
  files: { file: string; sha256: string }[];
  hashes: Record<string, string>;
  /** The hash in the names is the one of what the files hold now; absent: the names have none. */
  isAsNamed?: boolean;
  /** Files that belong to it and are not there. */
  missing: string[];
}

/**
 * The reconcilers in the folder of a stack, of the module or of the package. Of a stack only those that its Terraform
 * code names: a folder keeps what earlier releases wrote into it.
 */
export async function carriedIn(place: string): Promise<Carried[]> {
  if (!(await isFolder(place)))
    throw new InputError(
      `${place} is no folder. Give the folder of a synthesized stack, such as cdktf.out/stacks/web, or that of the module.`,
    );
  const inStack = path.join(place, 'proxmox');
  const folder = (await isFolder(inStack)) ? inStack : place;
  const marks = new Set((await namesIn(folder)).flatMap(name => markOf(name) ?? []));
  const text = folder === inStack ? await terraformOf(place) : undefined;
  // a name that the code calls and that is not there must be missed, not passed over
  for (const [, mark = ''] of text?.matchAll(/proxmox\/reconciler\.([0-9a-f]{12})\.cjs/g) ?? [])
    marks.add(mark);
  const called = [...marks].filter(
    mark => text === undefined || text.includes(`proxmox/reconciler.${mark}.cjs`),
  );
  if (called.length === 0)
    throw new InputError(
      `${place} holds no reconciler, or none that its Terraform code calls. Give the folder of a synthesized stack, such as cdktf.out/stacks/web, or that of the module.`,
    );
  return Promise.all(called.sort().map(mark => carried(folder, mark)));
}

/** The hash in the name of a file of the reconciler, '' where it has none; undefined: another file. */
function markOf(name: string): string | undefined {
  const found = FILE.exec(name);
  return found === null ? undefined : (found[2] ?? '');
}

async function terraformOf(place: string): Promise<string | undefined> {
  const names = await namesIn(place);
  const file = STACK_FILES.find(name => names.includes(name));
  return file === undefined ? undefined : fileText(path.join(place, file));
}

async function carried(folder: string, mark: string): Promise<Carried> {
  const there = await namesIn(folder);
  const nameOf = (kind: string): string => (mark === '' ? `${kind}.cjs` : `${kind}.${mark}.cjs`);
  const both = createHash('sha256');
  const found: Carried = { files: [], hashes: {}, missing: [] };
  for (const kind of KINDS) {
    const file = path.join(folder, nameOf(kind));
    if (!there.includes(nameOf(kind))) {
      found.missing.push(file);
      continue;
    }
    const bytes = await readNamed(file, MOST_PROGRAM_BYTES);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    both.update(bytes);
    found.files.push({ file, sha256 });
    found.hashes[`${kind}.cjs`] = sha256;
  }
  if (mark !== '' && found.missing.length === 0) found.isAsNamed = both.digest('hex').startsWith(mark);
  return found;
}
