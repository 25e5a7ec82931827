import path from 'node:path';
import { isRecord } from '../../spec';
import { shellWord } from '../report/shell-word';
import { fileText, isFolder, namesIn } from './file-text';
import { BY_TERRAFORM } from './other-files';

/** A file that is larger is not looked into: what it is costs more than it helps. */
const MOST_BYTES = 2 ** 20;
/** More names than these help nobody. */
const FEW = 5;
const MOST_FILES = 100;

const FALLBACK = "Name the stack's own folder, such as cdktf.out/stacks/web.";

/** Who was given the folder: `review` reads stacks alone, and no file of a desired state. */
export type Reader = 'review' | 'any verb';

/** What to name in place of a folder that holds nothing of what was meant, by what is in it. Reads only. */
export async function insteadOf(folder: string, reader: Reader, fallback = FALLBACK): Promise<string> {
  try {
    return (await saidOf(folder, reader)).join(' ') || fallback;
  } catch {
    // a folder below that this user may not read: the fault is told without a guess
    return fallback;
  }
}

// a place stands in brackets: a full stop behind it would be copied with it
async function saidOf(folder: string, reader: Reader): Promise<string[]> {
  const names = (await isFolder(folder)) ? await namesIn(folder) : [];
  const output = await outputOf(folder, names);
  const stacks = await stacksIn(folder, output);
  const files = await documentsIn(folder, names);
  const isApp = stacks.length === 0 && names.includes('cdktf.json');
  return [
    ...named('its stack', 'its stacks', stacks),
    ...(reader === 'review' && files.desired.length + files.manifests.length > 0
      ? ['review reads no desired states and no manifests: give what is in it to pve-reconciler plan.']
      : []),
    ...named('the desired state in it', 'the desired states in it', files.desired),
    ...(files.manifests.length > 0 ? [`Name the manifests in it (--manifests ${shellWord(folder)}).`] : []),
    ...(names.some(name => /\.(?:tf|tofu)$/.test(name))
      ? [`Terraform alone reads the .tf files in it: ${BY_TERRAFORM}.`]
      : []),
    ...(isApp
      ? [
          `It is an app: synthesize it, then name its stack (--spec ${shellWord(path.join(folder, output, 'stacks/NAME'))}).`,
        ]
      : []),
  ];
}

function named(one: string, several: string, places: readonly string[]): string[] {
  if (places.length === 0) return [];
  const shown = places.slice(0, FEW).map(place => `--spec ${shellWord(place)}`);
  const more = places.length > FEW ? `, and ${places.length - FEW} more` : '';
  return [`Name ${places.length === 1 ? one : several} (${shown.join(', ')}${more}).`];
}

/** Where an app puts its stacks: what its settings say, else what CDKTF takes. */
async function outputOf(folder: string, names: readonly string[]): Promise<string> {
  const text = names.includes('cdktf.json')
    ? await fileText(path.join(folder, 'cdktf.json'), MOST_BYTES).catch(() => '')
    : '';
  const [, output = ''] = /"output"\s*:\s*"([^"\\]+)"/.exec(text) ?? [];
  return output === '' || path.isAbsolute(output) ? 'cdktf.out' : output;
}

/** The stacks of an app, or of its output. */
async function stacksIn(folder: string, output: string): Promise<string[]> {
  for (const place of [path.join(folder, 'stacks'), path.join(folder, output, 'stacks')]) {
    const stacks = (await isFolder(place)) ? await namesIn(place) : [];
    const found = [];
    for (const stack of stacks)
      if (await isFolder(path.join(place, stack, 'proxmox'))) found.push(path.join(place, stack));
    if (found.length > 0) return found;
  }
  return [];
}

/** The files that look like desired states, and like manifests. */
async function documentsIn(folder: string, names: readonly string[]) {
  const desired: string[] = [];
  const manifests: string[] = [];
  for (const name of names.filter(each => /\.(?:ya?ml|json)$/i.test(each)).slice(0, MOST_FILES)) {
    const file = path.join(folder, name);
    // one that cannot be read is none that can be named
    const keys = keysIn(await fileText(file, MOST_BYTES).catch(() => ''));
    if (keys.has('apiVersion') && keys.has('kind')) manifests.push(file);
    else if (keys.has('machines')) desired.push(file);
  }
  return { desired, manifests };
}

/** The keys at the top of a text in YAML or JSON, as far as a look tells them. */
function keysIn(text: string): Set<string> {
  try {
    const json: unknown = JSON.parse(text);
    return new Set(isRecord(json) ? Object.keys(json) : []);
  } catch {
    return new Set([...text.matchAll(/^"?(\w+)"?:/gm)].map(([, key = '']) => key));
  }
}
