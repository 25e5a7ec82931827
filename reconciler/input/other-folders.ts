import path from 'node:path';
import { shellWord } from '../report/shell-word';
import { fileText, isFolder, namesIn } from './file-text';

/** A file that is larger is not looked into: what it is costs more than it helps. */
const MOST_BYTES = 2 ** 20;
/** More names than these help nobody. */
const FEW = 5;

/** What to name in place of a folder that holds no synthesized stack, by what is in it. Reads only. */
export async function insteadOf(folder: string): Promise<string> {
  const names = (await isFolder(folder)) ? await namesIn(folder) : [];
  const stacks = await stacksIn(folder);
  const files = await documentsIn(folder, names);
  const said = [
    ...named('its stack', 'its stacks', '--spec', stacks),
    ...named('the desired state in it', 'the desired states in it', '--spec', files.desired),
    ...(files.manifests.length > 0 ? [`Name the manifests in it: --manifests ${shellWord(folder)}.`] : []),
    ...(names.some(name => /\.tf$/.test(name))
      ? ['A folder of .tf files cannot be named: run terraform plan there.']
      : []),
    ...(stacks.length === 0 && names.includes('cdktf.json')
      ? [`It is an app: synthesize it, then name ${shellWord(path.join(folder, 'cdktf.out/stacks/NAME'))}.`]
      : []),
  ];
  return said.length > 0 ? said.join(' ') : "Name the stack's own folder, such as cdktf.out/stacks/web.";
}

function named(one: string, several: string, flag: string, places: readonly string[]): string[] {
  if (places.length === 0) return [];
  const shown = places.slice(0, FEW).map(place => `${flag} ${shellWord(place)}`);
  const more = places.length > FEW ? `, and ${places.length - FEW} more` : '';
  return [`Name ${places.length === 1 ? one : several}: ${shown.join(', ')}${more}.`];
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
  for (const name of names.filter(each => /\.(?:ya?ml|json)$/i.test(each)).slice(0, 100)) {
    const file = path.join(folder, name);
    // one that cannot be read is none that can be named
    const text = await fileText(file, MOST_BYTES).catch(() => '');
    if (/^apiVersion:/m.test(text)) manifests.push(file);
    else if (/^(?:\s*[{,]?\s*"machines"|machines)\s*:/m.test(text)) desired.push(file);
  }
  return { desired, manifests };
}
