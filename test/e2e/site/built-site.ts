import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const site = join(root, '.setup', 'site');
const dist = join(site, 'dist');

/** Why the site cannot be built here; undefined when it can. */
export const noSite = (): string | undefined =>
  existsSync(join(site, 'node_modules', '.package-lock.json')) ? undefined : 'run npm run setup site first';

export const axe = (): string => readFileSync(join(site, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8');

export function buildSite(): void {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/site.mjs'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the site was not built: ${stderr}`);
}

/** Each page that was built, by its address. */
export const builtPages = (): Map<string, string> =>
  new Map(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.html'))
      .map(name => [`/${name}`, readFileSync(join(dist, name), 'utf8')]),
  );

export const isBuilt = (address: string): boolean => existsSync(join(dist, address));

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** Serves what was built, on 127.0.0.1. */
export async function servedSite() {
  const server = createServer(({ url = '/' }, answer) => {
    const [path = '/'] = url.split('?');
    const file = join(dist, path.endsWith('/') ? `${path}index.html` : path);
    if (!file.startsWith(dist) || !existsSync(file)) return void answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<unknown>(resolve => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
