import { connect } from '../../reconciler/pve';
import type { Event } from '../../reconciler/event';
import { reconcile } from '../../reconciler/reconcile';
import type { DesiredState } from '../../spec';
import { parseDesiredState } from '../../spec';
import type { World } from '../../simulator';
import { defaultWorld, startSimulator } from '../../simulator';

/** What a test wants of the cluster `lab`, owned by `team/lab`; fails on what the spec refuses. */
export function desired(
  machines: Record<string, unknown>[],
  cluster: Record<string, unknown> = {},
): DesiredState {
  const parsed = parseDesiredState({
    version: 1,
    owner: 'team/lab',
    cluster: { name: 'lab', ...cluster },
    machines,
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 1));
  return parsed.value;
}

/** A simulated cluster and the reconciler's hand on it. Tasks take 20 ms unless said otherwise. */
export async function lab(options: { taskMs?: number; world?: World; seed?: number; lagMs?: number } = {}) {
  const world = options.world ?? defaultWorld(3);
  const root = world.access.users['root@pam'];
  if (root) root.tokens['lab'] = { value: 'secret', privsep: false };
  const { taskMs = 20, seed = 1, lagMs = 0 } = options;
  const simulator = await startSimulator(world, { taskMs, seed, lagMs });
  const events: Event[] = [];
  return {
    simulator,
    world: simulator.world,
    events,
    /** Reconciles once, as a process of its own would: with a connection and a reading of its own. */
    run: async (state: DesiredState) => {
      const pve = connect({
        endpoints: [simulator.url],
        credentials: { kind: 'token', id: 'root@pam!lab', secret: 'secret' },
        tls: { insecure: false, ca: simulator.ca },
        maxRequests: 8,
        requestTimeoutMs: 5_000,
        poll: { floorMs: 5, ceilingMs: 50 },
      });
      try {
        return await reconcile(state, pve, event => events.push(event), new AbortController().signal);
      } finally {
        await pve.close();
      }
    },
    /** The requests since the last call, without polls and the reads that a process makes once. */
    calls: () => {
      const once =
        /^GET \/(cluster\/(resources|status|options)|access\/permissions|version|nodes\/[^/]+\/(storage|network|qemu))$/;
      const lines = simulator.ledger
        .entries()
        .map(({ method, path, status }) => ({ line: `${method} ${path}`, status }))
        .filter(({ line }) => !once.test(line) && !/^GET .*\/tasks\//.test(line))
        .map(({ line }) => line);
      simulator.ledger.reset();
      return lines;
    },
    close: () => simulator.close(),
  };
}

export type Lab = Awaited<ReturnType<typeof lab>>;

/** The errors of a run, as texts. */
export function errorsOf(endings: Awaited<ReturnType<Lab['run']>>): string[] {
  return endings.flatMap(ending => ('error' in ending ? [String(ending.error)] : []));
}
