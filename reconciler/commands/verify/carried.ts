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
/** A program that the code of a stack names. */
const NAMED = /(?<![\w-])proxmox\/([^\s"'\\]+?\.cjs)/g;
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
  /** The Terraform code does not call it: an earlier synth left it, or somebody laid it there. */
  isUncalled?: true;
  /** A program of which no synth writes the name. */
  stray?: string;
}

/**
 * The reconcilers in the folder of a stack, of the module or of the package. Of a stack all that it holds, called or
 * not: who hides a call from a search in the code hides no file.
 */
export async function carriedIn(place: string): Promise<Carried[]> {
  if (!(await isFolder(place)))
    throw new InputError(
      `${place} is no folder. Give the folder of a synthesized stack, such as cdktf.out/stacks/web, or that of the module.`,
    );
  const inStack = path.join(place, 'proxmox');
  const found = (await isFolder(inStack)) ? await inStackFolder(place, inStack) : await inPlainFolder(place);
  if (found.every(({ isUncalled }) => isUncalled))
    throw new InputError(
      `${place} holds no reconciler, or none that its Terraform code calls. Give the folder of a synthesized stack, such as cdktf.out/stacks/web, or that of the module.`,
    );
  return found;
}

/** Other programs lie beside the reconciler in the package. */
async function inPlainFolder(folder: string): Promise<Carried[]> {
  const marks = new Set((await namesIn(folder)).flatMap(name => markOf(name) ?? []));
  return Promise.all([...marks].map(mark => carried(folder, mark)));
}

async function inStackFolder(place: string, folder: string): Promise<Carried[]> {
  const held = (await namesIn(folder)).filter(name => name.endsWith('.cjs'));
  const text = await terraformOf(place);
  const named = [...(text ?? '').matchAll(NAMED)].map(([, name = '']) => name);
  // a name that the code calls and that is not there must be missed, not passed over
  const names = [...new Set([...held, ...named])].sort();
  const marks = [...new Set(names.flatMap(name => markOf(name) || []))];
  const isCalled = (mark: string): boolean => text === undefined || named.some(name => markOf(name) === mark);
  const strays = names.filter(name => !markOf(name));
  return Promise.all([
    ...marks.filter(isCalled).map(mark => carried(folder, mark)),
    ...marks
      .filter(mark => !isCalled(mark))
      .map(async mark => ({ ...(await carried(folder, mark)), isUncalled: true as const })),
    ...strays.map(name => stray(folder, name, held.includes(name))),
  ]);
}

/** The hash in the name of a file of the reconciler, '' where it has none; undefined: another file. */
function markOf(name: string): string | undefined {
  const found = FILE.exec(name);
  return found === null ? undefined : (found[2] ?? '');
}

/** All that Terraform reads of these; undefined: there is none. */
async function terraformOf(place: string): Promise<string | undefined> {
  const names = await namesIn(place);
  const files = STACK_FILES.filter(name => names.includes(name));
  const texts = await Promise.all(files.map(name => fileText(path.join(place, name))));
  return texts.length === 0 ? undefined : texts.join('\n');
}

async function stray(folder: string, name: string, isHeld: boolean): Promise<Carried> {
  const file = path.join(folder, name);
  const files = isHeld ? [{ file, sha256: await sha256Of(file) }] : [];
  return { files, hashes: {}, missing: isHeld ? [] : [file], stray: `proxmox/${name}` };
}

async function sha256Of(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readNamed(file, MOST_PROGRAM_BYTES))
    .digest('hex');
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
