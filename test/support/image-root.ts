import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

const repository = join(__dirname, '..', '..');

/** An image as a folder, and what its Containerfile says of how it runs. */
export interface ImageRoot {
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  health: string[];
}

/**
 * Builds the root of an image by hand, for machines without a container engine: the COPY lines of its Containerfile, and
 * in the place of its base what node is linked to here. It is not the image: its base and its node are this machine's.
 */
export function buildImageRoot(
  root: string,
  image: 'simulator' | 'reconciler' = 'simulator',
  unpacked = image === 'simulator' ? join(repository, 'simulator') : repository,
): ImageRoot {
  const file = readFileSync(join(repository, 'containers', image, 'Containerfile'), 'utf8');
  const lines = file.slice(file.lastIndexOf('\nFROM ')).split('\n');
  const after = (word: string) =>
    lines.flatMap(line => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(root, 0o755);
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const library of librariesOf(process.execPath)) copyInto(root, library, library);
  for (const line of after('COPY')) copyLine(root, unpacked, line);
  const [health = ''] = after('HEALTHCHECK');
  return {
    env: Object.fromEntries(after('ENV').map(line => line.split('=') as [string, string])),
    user: after('USER')[0] ?? 'root',
    entrypoint: JSON.parse(after('ENTRYPOINT')[0] ?? '[]'),
    health: JSON.parse(health.slice(health.indexOf('['))),
  };
}

function copyLine(root: string, unpacked: string, line: string): void {
  const words = line.split(' ').filter(word => !word.startsWith('--'));
  const target = words.pop() ?? '';
  const owner = /--chown=(\d+):(\d+)/.exec(line);
  for (const source of words) {
    const into = target.endsWith('/') ? join(target, source.replace(/^.*\//, '')) : target;
    if (source === '/usr/local/bin/node') copyInto(root, process.execPath, into);
    else if (line.includes('--from=')) mkdirSync(join(root, into), { recursive: true });
    else copyInto(root, join(unpacked, source), into);
    if (owner) chownSync(join(root, into), Number(owner[1]), Number(owner[2]));
  }
}

function copyInto(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  cpSync(realpathSync(from), join(root, to));
}

const librariesOf = (program: string): string[] =>
  execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+\.so\S*/g) ?? [];
