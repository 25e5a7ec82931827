import { existsSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { InputError } from '../../errors';
import { fileText } from '../../input/file-text';
import { readJson } from '../../input/read-json';

const Release = z.object({
  version: z.string(),
  date: z.string(),
  /** The SHA-256 of each file of the reconciler. */
  files: z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/)),
});
const Releases = z.object({ version: z.literal(1), releases: z.array(Release) });

/** A release, and what its reconciler is. */
export type Release = z.infer<typeof Release>;

/** In the package it lies above the programs. A program cannot hold its own hash, so it is a file beside it. */
const LIST = path.join(__dirname, '..', 'releases.json');
/** Above a program in a stack or a module lie files of others: a list there is not ours. */
const MANIFEST = path.join(__dirname, '..', 'package.json');
const OURS = z.object({ name: z.enum(['cdktf-proxmox', 'cdktn-proxmox']) });

/** The releases that are known: of the file that is named, else of the package that this program is in. */
export async function knownReleases(named: string | undefined): Promise<Release[]> {
  const file = named ?? LIST;
  if (named === undefined && !(await isInPackage())) throw new InputError(NO_LIST);
  const read = Releases.safeParse(readJson(await fileText(file), file));
  if (read.success) return read.data.releases;
  throw new InputError(
    `${file} is no list of releases: ${z.prettifyError(read.error).replaceAll('\n', ' ')} Give the releases.json of the package.`,
  );
}

async function isInPackage(): Promise<boolean> {
  if (!existsSync(LIST) || !existsSync(MANIFEST)) return false;
  return OURS.safeParse(readJson(await fileText(MANIFEST), MANIFEST)).success;
}

const NO_LIST =
  'this program travels without the list of releases. Run the pve-reconciler of the installed package, or give its releases.json with --releases.';
