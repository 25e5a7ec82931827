import { dispatch } from '../api/dispatch';
import { asFailure } from '../api/request';
import { findRoute } from '../api/route';
import type { Site } from '../control/site';
import { findNamed } from '../own-keys';
import type { Random } from '../random';
import { seededRandom } from '../random';
import type { Guest } from '../world';
import type { Administrator, Deed } from './administrator';

/** Lets each of them begin. They end with the clock. Fails where the world has no such user. */
export function startAdministrators(site: Site, all: readonly Administrator[], entry: string): void {
  for (const { user } of all) {
    const [owner = ''] = user.split('!');
    if (findNamed(site.sim.world.access.users, owner)) continue;
    throw new Error(`the administrator ${user} is no user of this world; name one of its users`);
  }
  all.forEach((administrator, index) => {
    // each draws from a source of his own: what one does changes nothing of what another will
    const random = seededRandom(site.sim.options.seed * 1009 + index + 1);
    void work(site, administrator, random, entry);
  });
}

async function work(site: Site, administrator: Administrator, random: Random, entry: string): Promise<void> {
  const { everyMs, count = Infinity, does, user } = administrator;
  for (let n = 1; n <= count; n += 1) {
    await site.sim.clock.sleep(Math.round(everyMs * (0.5 + random.next())));
    // both are drawn each time, so that the next draw is the same whatever there is
    const [guestDraw, deedDraw] = [random.next(), random.next()];
    const guests = guestsOf(site, administrator);
    const guest = guests[Math.floor(guestDraw * guests.length)];
    const deed = does[Math.floor(deedDraw * does.length)];
    if (deed) await act(site, user, filled(deed, n, guest), entry);
  }
}

function guestsOf({ sim: { world } }: Site, { guests }: Administrator): Guest[] {
  return Object.values(world.guests).filter(({ vmid, type, config }) =>
    guests ? guests.includes(vmid) : type === 'qemu' && config['template'] !== '1',
  );
}

function filled({ method, path, params }: Deed, n: number, guest: Guest | undefined): Deed {
  const fill = (text: string): string =>
    text
      .replaceAll('{n}', String(n))
      .replaceAll('{vmid}', String(guest?.vmid ?? ''))
      .replaceAll('{node}', guest?.node ?? '');
  const values = Object.entries(params).map(([name, value]) => [name, fill(value)]);
  return { method, path: fill(path), params: Object.fromEntries(values) };
}

/** One request, as the API takes it from anybody else. What is refused is refused: he goes on. */
async function act({ sim, ledger }: Site, user: string, deed: Deed, entry: string): Promise<void> {
  const { method, path, params } = deed;
  const route = findRoute(method, path);
  const started = performance.now();
  const entered = sim.clock.now();
  let [status, reason] = [200, 'OK'];
  try {
    const auth = { user, viaToken: user.includes('!'), isUpload: false };
    await dispatch(sim, { method, path, route, params, auth, entry });
  } catch (error) {
    ({ status, message: reason } = asFailure(sim, error));
  }
  ledger.record({
    ...{ at: entered, method, path, user, status, reason },
    ...(route ? { route: route.endpoint.path } : {}),
    ...{ ms: performance.now() - started, bytesIn: 0, bytesOut: 0, write: method !== 'GET' },
  });
}
