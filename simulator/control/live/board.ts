import { hasQuorum } from '../../cluster/quorum';
import type { Watched } from '../watched';
import { agentAt, guestRow } from './guest-row';
import { addLoad, noLoad, nodeRow } from './node-row';
import type { Load } from './node-row';
import { Rows } from './rows';
import { taskRows } from './task-rows';

/** How many of the latest requests a reader gets at once. */
const MOST_REQUESTS = 50;

/** What a reader knows so far. */
export interface Known {
  version: number;
  /** The number of the last request. */
  request: number;
  /** The last words about everything that is no row. */
  about: string;
}

export const nothingKnown = (): Known => ({ version: 0, request: 0, about: '' });

/** The cluster as the page shows it, looked at once for all readers. */
export class Board {
  /** When something will change that nothing announces: an agent begins to answer. Simulated time. */
  nextChange: number | undefined;
  private version = 0;
  private runningTasks = 0;
  private readonly sections = {
    nodes: new Rows(),
    guests: new Rows(),
    tasks: new Rows(),
    faults: new Rows(),
  };

  constructor(private readonly site: Watched) {}

  /** Looks at the cluster. */
  look(): void {
    const { sim, faults } = this.site;
    const { nodes, guests, tasks } = this.sections;
    this.version += 1;
    this.nextChange = undefined;
    const loads = new Map<string, Load>();
    guests.take(this.version, this.guestRows(loads));
    nodes.take(
      this.version,
      sim.world.nodes.map(node => [node.name, nodeRow(node, loads.get(node.name) ?? noLoad())] as const),
    );
    const shown = taskRows(sim);
    this.runningTasks = shown.running;
    tasks.take(this.version, shown.rows);
    this.sections.faults.take(
      this.version,
      faults.list().map(fault => [fault.id, fault] as const),
    );
  }

  /** What a reader must be told, as one message; undefined when it knows all. Takes note that it knows it now. */
  messageFor(known: Known): string | undefined {
    const parts: string[] = [];
    for (const [name, rows] of Object.entries(this.sections)) {
      const { all, rows: changed, gone } = rows.since(known.version);
      if (all || changed.length > 0 || gone.length > 0)
        parts.push(`"${name}":{"all":${all},"gone":${JSON.stringify(gone)},"rows":[${changed.join(',')}]}`);
    }
    parts.push(...this.requestsFor(known));
    const about = JSON.stringify(this.about());
    if (parts.length === 0 && about === known.about) return undefined;
    Object.assign(known, { version: this.version, about });
    return `{${[...parts, `"now":${this.site.sim.clock.now()}`, `"about":${about}`].join(',')}}`;
  }

  private *guestRows(loads: Map<string, Load>): Iterable<readonly [number, object]> {
    const { sim } = this.site;
    for (const guest of Object.values(sim.world.guests)) {
      const load = loads.get(guest.node) ?? noLoad();
      addLoad(load, guest);
      loads.set(guest.node, load);
      const at = agentAt(sim, guest);
      if (at !== undefined) this.nextChange = Math.min(this.nextChange ?? Infinity, at);
      yield [guest.vmid, guestRow(sim, guest)];
    }
  }

  private requestsFor(known: Known): string[] {
    const { ledger } = this.site;
    const last = ledger.lastNumber();
    if (last === known.request) return [];
    // after a reset the numbers begin again
    const from = last < known.request ? 0 : known.request;
    const entries = ledger.latest(Math.min(last - from, MOST_REQUESTS));
    const rows = entries.map(({ n, method, path, user, status, reason, ms, faults }) => ({
      n,
      method,
      path,
      user,
      status,
      reason: reason.slice(0, 200),
      ms: Math.round(ms),
      ...(faults && { faults }),
    }));
    const message = { all: from === 0, rows };
    known.request = last;
    return [`"requests":${JSON.stringify(message)}`];
  }

  private about(): object {
    const { sim, ledger, about, network } = this.site;
    const { requests, failures } = ledger.total();
    return {
      release: sim.world.version.release,
      cluster: sim.world.cluster?.name,
      quorate: hasQuorum(sim.world),
      scale: sim.clock.scale(),
      lagMs: sim.options.lagMs,
      latencyMs: network.latencyMs,
      caFile: about.caFile,
      requests,
      failures,
      running: this.runningTasks,
      defects: sim.defects.all().length,
    };
  }
}
