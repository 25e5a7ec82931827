import path from 'node:path';
import { isRecord } from '../../spec';
import { shellWord } from '../report/shell-word';
import { fileText, isFolder, namesIn } from './file-text';

/** A file that is larger is not looked into: what it is costs more than it helps. */
const MOST_BYTES = 2 ** 20;
/** More names than these help nobody. */
const FEW = 5;
const MOST_FILES = 100;

const FALLBACK = "Name the stack's own folder, such as cdktf.out/stacks/web.";

/** What to name in place of a folder that holds no synthesized stack, by what is in it. Reads only. */
export async function insteadOf(folder: string): Promise<string> {
  try {
    return (await saidOf(folder)).join(' ') || FALLBACK;
  } catch {
    // a folder below that this user may not read: the fault is told without a guess
    return FALLBACK;
  }
}

// a place stands in brackets: a full stop behind it would be copied with it
async function saidOf(folder: string): Promise<string[]> {
  const names = (await isFolder(folder)) ? await namesIn(folder) : [];
  const stacks = await stacksIn(folder);
  const files = await documentsIn(folder, names);
  const isApp = stacks.length === 0 && names.includes('cdktf.json');
  return [
    ...named('its stack', 'its stacks', stacks),
    ...named('the desired state in it', 'the desired states in it', files.desired),
    ...(files.manifests.length > 0 ? [`Name the manifests in it (--manifests ${shellWord(folder)}).`] : []),
    ...(names.some(name => /\.(?:tf|tofu)$/.test(name))
      ? ['A folder of .tf files cannot be named: run terraform plan there.']
      : []),
    ...(isApp
      ? [
          `It is an app: synthesize it, then name its stack (--spec ${shellWord(path.join(folder, 'cdktf.out/stacks/NAME'))}).`,
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

/** The stacks of an app, or of its output. */
async function stacksIn(folder: string): Promise<string[]> {
  for (const place of [path.join(folder, 'stacks'), path.join(folder, 'cdktf.out', 'stacks')]) {
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
