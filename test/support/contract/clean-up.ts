import type { Item } from './inventory';
import { keyOf, takeInventory } from './inventory';
import type { Entry } from './journal';
import type { RecordingNames } from './recording-names';
import type { ClusterSession } from './session';

/** Linked clones keep their templates, pools their members: what fails at first may go later. */
const PASSES = 3;
/** How much later than the last answer a request in transit may have made a guest, in seconds. */
const IN_TRANSIT = 60;

/**
 * Removes what a recording made: what was not there before, and what it names. After a run that was killed
 * (`abandoned`) a guest must also have been made while it ran. Gives what could not be removed.
 */
export async function cleanUp(
  session: ClusterSession,
  entry: Entry,
  names: RecordingNames,
  { abandoned }: { abandoned: boolean },
): Promise<string[]> {
  const before = new Set(entry.before);
  let left: string[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    left = [];
    const made = (await takeInventory(session)).filter(
      item => !before.has(keyOf(item)) && names.includes(item),
    );
    for (const item of made) {
      const kept = abandoned && item.kind === 'guest' ? await notOurs(session, item, entry) : undefined;
      const why = kept ?? (await remove(session, item));
      if (why !== undefined) left.push(`${keyOf(item)}: ${why}`);
    }
    if (left.length === 0) break;
  }
  return [...left, ...(await restoreOptions(session, entry))];
}

/** Why a guest is left alone: it was made before or after the run that was killed. */
async function notOurs(session: ClusterSession, item: Item, entry: Entry): Promise<string | undefined> {
  const { meta = '' } = (await session.get(`${item.remove.path}/config`)) as { meta?: string };
  const made = Number(/ctime=(\d+)/.exec(meta)?.[1] ?? NaN);
  if (made >= entry.started - 1 && made <= entry.last + IN_TRANSIT) return undefined;
  return 'it is not known to be of the run that was broken off; remove it by hand if it is';
}

async function remove(session: ClusterSession, { kind, remove: request }: Item): Promise<string | undefined> {
  const { method, path, params } = request;
  if (kind === 'guest' && path.includes('/qemu/')) {
    await session.change('POST', `${path}/status/stop`, { skiplock: 1 });
    await session.change('PUT', `${path}/config`, { skiplock: 1, delete: 'protection,lock' });
  }
  return session.change(method, path, params);
}

async function restoreOptions(session: ClusterSession, { options }: Entry): Promise<string[]> {
  const now = (await session.get('/cluster/options')) as Record<string, unknown>;
  const added = Object.keys(now).filter(key => !(key in options));
  const changed = Object.entries(options).filter(
    ([key, value]) => JSON.stringify(now[key]) !== JSON.stringify(value),
  );
  if (added.length === 0 && changed.length === 0) return [];
  const set = Object.fromEntries(changed.map(([key, value]) => [key, asText(value)]));
  const gone = added.length > 0 ? { delete: added.join(',') } : {};
  const why = await session.change('PUT', '/cluster/options', { ...set, ...gone });
  return why === undefined ? [] : [`the datacenter's options: ${why}`];
}

/** An option as it is written: an object of parts is read back, a property string is sent. */
function asText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, part]) => `${key}=${String(part)}`)
    .join(',');
}
