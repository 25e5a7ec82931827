import { setLag } from '../daemons/start';
import { readFaults } from '../faults/read';
import { loadWorld } from '../world-file/load';
import { saveWorld } from '../world-file/save';
import { setClock } from './set-clock';
import type { Site } from './site';
import { Fields } from '../world-file/fields';
import { applyEvent } from '../events/apply';
import { readEvent } from '../events/read';
import { taskLog } from './live/task-rows';
import { showPermissions } from './permissions/show';
import { showState } from './state';

/** What a control request brings: the decoded body, and the last part of the path where it is a number. */
interface Order {
  body: unknown;
  id: number;
  query: URLSearchParams;
}

/** An answer that is text, not JSON. */
export class PlainText {
  constructor(readonly text: string) {}
}

type Route = (site: Site, order: Order) => unknown;

const done = { done: true };

/** The control calls, by method and path below /_sim. Each answers JSON; a wrong order fails with its reason. */
export const CONTROL: Record<string, Route> = {
  'GET /health': () => ({ ready: true }),
  'GET /state': showState,
  'GET /world': ({ sim }, { query }) => {
    const form = query.get('form');
    if (form !== null && form !== 'file')
      throw new Error(`form: '${form}' is none; write form=file for a world file, or leave it out`);
    return form === 'file' ? saveWorld(sim.world) : sim.world;
  },
  'GET /ledger': ({ sim, ledger }) => ({
    total: ledger.total(),
    routes: ledger.byRoute(),
    defects: sim.defects.all(),
    requests: ledger.entries(),
  }),
  'GET /ledger/counts': ({ sim, ledger }) => ({
    total: ledger.total(),
    routes: ledger.byRoute(),
    defects: sim.defects.all(),
  }),
  'DELETE /ledger': ({ sim, ledger }) => {
    ledger.reset();
    sim.defects.clear();
    return done;
  },
  'GET /faults': ({ faults }) => faults.list(),
  'POST /faults': ({ faults }, { body }) => readFaults(body).map(fault => faults.add(fault)),
  'DELETE /faults': ({ faults }) => {
    faults.clear();
    return done;
  },
  'DELETE /faults/{id}': ({ faults }, { id }) => {
    if (!faults.remove(id)) throw new Error(`there is no fault ${id}`);
    return done;
  },
  'GET /clock': ({ sim }) => ({ now: sim.clock.now(), scale: sim.clock.scale() }),
  'POST /clock': setClock,
  'GET /network': networkOf,
  'POST /network': (site, { body }) => {
    const fields = new Fields(body, 'network');
    const lagMs = fields.has('lagMs') ? fields.count('lagMs') : undefined;
    const latencyMs = fields.has('latencyMs') ? fields.count('latencyMs') : undefined;
    fields.end();
    if (lagMs !== undefined) setLag(site.sim, lagMs);
    if (latencyMs !== undefined) site.network.latencyMs = latencyMs;
    return networkOf(site);
  },
  'GET /permissions': (site, { query }) => new PlainText(showPermissions(site, query)),
  'DELETE /permissions': ({ sim }) => {
    sim.asked.clear();
    return done;
  },
  'GET /tasks/log': ({ sim }, { query }) => taskLog(sim, query.get('upid') ?? ''),
  'POST /event': ({ sim }, { body }) => {
    applyEvent(sim, readEvent(body, 'event'));
    return done;
  },
  'POST /node': ({ sim }, { body }) => {
    const order = typeof body === 'object' ? body : {};
    applyEvent(sim, readEvent({ ...order, kind: 'node' }, 'node'));
    return done;
  },
  'POST /reset': (site, { body }) => {
    site.reset(body === undefined ? undefined : loadWorld(body));
    return done;
  },
};

function networkOf({ sim, network }: Site): object {
  return { lagMs: sim.options.lagMs, latencyMs: network.latencyMs };
}
