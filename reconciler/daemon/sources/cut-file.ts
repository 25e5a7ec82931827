import { open } from 'node:fs/promises';
import { answered } from '../../config/answered';
import { isFolder } from '../../input/file-text';
import { filesIn } from '../../input/manifest-files';

const YAML = /\.ya?ml$/i;
const [LINE_BREAK, BRACE, BRACKET] = [10, 123, 91];

/**
 * A file of YAML among these places and in their folders that is empty, or does not end with a line break. Whoever writes
 * it was cut short, perhaps: the beginning of YAML is good YAML, with fewer machines. A part of JSON is none.
 */
export async function cutFile(places: readonly string[]): Promise<string | undefined> {
  const found = await Promise.all(places.map(cutAt));
  return found.find(file => file !== undefined);
}

async function cutAt(place: string): Promise<string | undefined> {
  const files = (await isFolder(place)) ? (await filesIn(place)).filter(file => YAML.test(file)) : [place];
  for (const file of files) if (!(await looksWhole(file))) return file;
  return undefined;
}

async function looksWhole(file: string): Promise<boolean> {
  return answered(file, async () => {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      if (size === 0) return false;
      const byteAt = async (at: number): Promise<number | undefined> =>
        (await handle.read(Buffer.alloc(1), 0, 1, at)).buffer[0];
      const first = await byteAt(0);
      return first === BRACE || first === BRACKET || (await byteAt(size - 1)) === LINE_BREAK;
    } finally {
      await handle.close();
    }
  });
}
