import { readFaults } from '../faults/read';
import { loadWorld } from '../world-file/load';
import type { Site } from './site';
import { Fields } from '../world-file/fields';
import { applyEvent } from '../events/apply';
import { readEvent } from '../events/read';
import { showState } from './state';

/** What a control request brings: the decoded body, and the last part of the path where it is a number. */
interface Order {
  body: unknown;
  id: number;
}

type Route = (site: Site, order: Order) => unknown;

const done = { done: true };

/** The control calls, by method and path below /_sim. Each answers JSON; a wrong order fails with its reason. */
export const CONTROL: Record<string, Route> = {
  'GET /health': () => ({ ready: true }),
  'GET /state': showState,
  'GET /world': ({ sim }) => sim.world,
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
  'GET /clock': ({ sim }) => ({ now: sim.clock.now() }),
  'POST /clock': async ({ sim }, { body }) => {
    const fields = new Fields(body, 'clock');
    const ms = fields.count('advance');
    fields.end();
    await sim.clock.advance(ms);
    return { now: sim.clock.now() };
  },
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
