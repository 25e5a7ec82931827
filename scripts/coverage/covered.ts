import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findRoute } from '../../simulator/api/route';
import type { HandlerTable } from '../../simulator/cluster/call';
import { ENDPOINTS } from '../../simulator/schema/endpoint';
import { EXCEPTIONS } from '../../test/contract/exceptions';
import type { Covered } from './coverage-page';

const root = path.join(__dirname, '..', '..');
const recordings = path.join(root, 'test', 'contract', 'recordings');
const handlers = ['handlers', 'extras'].map(name => path.join(root, 'simulator', name));

interface Step {
  n: number;
  method?: string;
  path?: string;
  expect?: { status: number };
}

/** Each endpoint that the simulator knows of, and how its answer is known. */
export function covered(): Covered[] {
  const played = playedWithSuccess();
  const sources = sourcesOfHandlers();
  return ENDPOINTS.map(({ method, path: at }) => {
    const route = `${method} ${at}`;
    const here = [...(played.get(route) ?? [])].sort();
    const namesSource = sources.get(route);
    const way =
      namesSource === undefined ? '501' : here.length > 0 ? 'recorded' : namesSource ? 'source' : 'assumed';
    return { method, path: at, way, recordings: way === 'recorded' ? here : [] };
  });
}

/** By route, the recordings that have a step which it answers with 200, and which the simulator matches. */
function playedWithSuccess(): Map<string, Set<string>> {
  const played = new Map<string, Set<string>>();
  for (const file of readdirSync(recordings).filter(name => /^[0-9a-z]\d-.*\.json$/.test(name))) {
    const { steps }: { steps: Step[] } = JSON.parse(readFileSync(path.join(recordings, file), 'utf8'));
    const recording = file.slice(0, 2);
    const known = EXCEPTIONS[file.replace('.json', '')] ?? {};
    for (const { n, method = '', path: at = '', expect } of steps) {
      if (expect?.status !== 200 || n in known) continue;
      const endpoint = findRoute(
        method,
        (at.split('?')[0] ?? '').replaceAll('${', '').replaceAll('}', ''),
      )?.endpoint;
      if (!endpoint) continue;
      const route = `${endpoint.method} ${endpoint.path}`;
      played.set(route, (played.get(route) ?? new Set()).add(recording));
    }
  }
  return played;
}

/** A comment that names a file of Proxmox's own code. */
const SOURCE = /^\s*(?:\/\/|\/?\*).*[A-Za-z]+\.pm\b/m;

/** By route that is handled: whether the file of its handler names the source that it follows. */
function sourcesOfHandlers(): Map<string, boolean> {
  const sources = new Map<string, boolean>();
  const files = handlers.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(entry => entry.endsWith('.ts') && entry !== 'index.ts')
      .map(entry => path.join(folder, entry)),
  );
  for (const file of files) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- every file of a folder, whatever it is called
    const exported: Record<string, unknown> = require(file);
    const namesSource = SOURCE.test(readFileSync(file, 'utf8'));
    for (const [name, table] of Object.entries(exported)) {
      if (!name.endsWith('Handlers') || !isTable(table)) continue;
      for (const route of Object.keys(table)) sources.set(route, namesSource);
    }
  }
  return sources;
}

function isTable(value: unknown): value is HandlerTable {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(each => typeof each === 'function')
  );
}
