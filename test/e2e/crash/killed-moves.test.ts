import { lab } from '../../support/cluster/lab';
import { OwnProcesses } from '../../support/processes/own-processes';
import { deaths, endsAlikeWhenKilled } from '../../support/processes/killed-runs';
import { moves, paceOf, worldBefore } from '../../support/runs/moves';
import { EVERY } from '../../support/turns';

/** In the gate these two, at each write; with KILLS=every all of them, at each request and each write. */
const GATE = ['local disks, stopped, alone', 'shared disks, running, by HA'];
const waysOf = Object.entries(moves).filter(([name]) => EVERY || GATE.includes(name));
const deathsOf = Object.entries(deaths).filter(([, { methods }]) => EVERY || methods !== undefined);

let processes: OwnProcesses;
beforeAll(() => (processes = new OwnProcesses()));
afterAll(() => processes.end());

describe.each(waysOf)('a pinned machine goes to its node: %s', (name, move) => {
  it.each(deathsOf)('ends alike when it is killed %s, for every k', async (death, how) => {
    const world = await worldBefore(move);
    const open = (pace: 'quick' | 'slow') =>
      lab({ ...paceOf(move, pace === 'slow' ? 150 : 5), world: structuredClone(world) });
    const killed = await endsAlikeWhenKilled({ want: move.want, open, processes }, how);
    if (EVERY) console.log(`${name}, ${death}: ${killed} killed`);
    expect(killed).toBeGreaterThan(0);
  });
});
