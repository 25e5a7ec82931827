import { open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { answered } from '../../config/answered';

const YAML = /\.ya?ml$/i;
const [LINE_BREAK, BRACE, BRACKET] = [10, 123, 91];

/**
 * A file of YAML among these places and in their folders that is empty, or does not end with a line break. Whoever writes
 * it was cut short, perhaps: the beginning of YAML is good YAML, with fewer machines. A part of JSON is none.
 */
export async function cutFile(places: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(places.map(place => cutAt(place)));
  return found.find(file => file !== undefined);
}

async function cutAt(place: string): Promise<string | undefined> {
  const { size, isFolder } = await answered(place, async () => {
    const there = await stat(place);
    return { size: there.size, isFolder: there.isDirectory() };
  });
  if (!isFolder) return size > 0 && (await looksWhole(place, size)) ? undefined : place;
  const entries = await answered(place, () => readdir(place, { withFileTypes: true }));
  for (const entry of entries) {
    const isAsked = !entry.name.startsWith('.') && (entry.isDirectory() || YAML.test(entry.name));
    const cut = isAsked ? await cutAt(path.join(place, entry.name)) : undefined;
    if (cut !== undefined) return cut;
  }
  return undefined;
}

async function looksWhole(file: string, size: number): Promise<boolean> {
  return answered(file, async () => {
    const handle = await open(file);
    try {
      const byteAt = async (at: number): Promise<number | undefined> =>
        (await handle.read(Buffer.alloc(1), 0, 1, at)).buffer[0];
      const first = await byteAt(0);
      return first === BRACE || first === BRACKET || (await byteAt(size - 1)) === LINE_BREAK;
    } finally {
      await handle.close();
    }
  });
}
