import type { World } from '../../../simulator';
import { endState, foreignWrites, writes } from '../../support/cluster/end-state';
import { eachUntilDone } from '../../support/in-parallel';
import type { Running } from '../../support/processes/cli';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';
import { EVERY, turnsOf } from '../../support/turns';

/** Longer than any test: what a dead worker has sent never comes. */
const FOR_EVER = 3_600_000;
/** What a living one has sent comes late. */
const LATE = 1_000;
/**
 * In the gate each way has each write, and each death: who dies where takes turns, before the write is done or after.
 * With KILLS=every each of them dies at each request, both before and after.
 */
const METHODS = EVERY ? {} : { methods: ['POST', 'PUT', 'DELETE'] };
const ids = ['a', 'b', 'c'];

/** What three machines are on their way to, all at once. */
interface Way {
  isThere: boolean;
  go: (lab: SharedLab, id: string) => Running;
}

const WAYS: Record<string, Way> = {
  create: { isThere: false, go: (lab, id) => lab.apply(small(id)) },
  change: { isThere: true, go: (lab, id) => lab.apply(small(id, { memory: '2Gi', tags: ['new'] })) },
  destroy: { isThere: true, go: (lab, id) => lab.destroy(id) },
};

const killWorkers = (lab: SharedLab): void => lab.workers().forEach(pid => process.kill(pid, 'SIGKILL'));

/** Who dies, and which of the clients with it. */
const DEATHS: Record<string, (lab: SharedLab, client: Running) => Running[]> = {
  'the worker': lab => {
    killWorkers(lab);
    return [];
  },
  'a client': (_, client) => {
    client.child.kill('SIGKILL');
    return [client];
  },
  'the worker and a client': (lab, client) => {
    killWorkers(lab);
    client.child.kill('SIGKILL');
    return [client];
  },
};

/** A world with the three machines in it. */
let prepared: World;
beforeAll(async () => {
  const lab = await sharedLab();
  const made = await Promise.all(ids.map(id => lab.apply(small(id)).ended));
  expect(made.map(({ code }) => code)).toEqual([0, 0, 0]);
  prepared = structuredClone(lab.world);
  await lab.close();
});

async function open({ isThere }: Way) {
  const lab = await sharedLab({ taskMs: 50, ...(isThere && { world: structuredClone(prepared) }) });
  const others = Object.values(lab.world.guests).flatMap(({ vmid, config }) =>
    config['description']?.includes('<!-- pvr:') === true ? [] : [vmid],
  );
  return { lab, others };
}

const codesOf = (runs: Running[]) => Promise.all(runs.map(async ({ ended }) => (await ended).code));
const stateOf = ({ simulator }: SharedLab): unknown =>
  ids.map(id => (endState(simulator, id) as { guests: unknown }).guests);

/** What they come to where nobody dies, and how many writes that took. */
async function undisturbed(way: Way) {
  const { lab } = await open(way);
  expect(await codesOf(ids.map(id => way.go(lab, id)))).toEqual([0, 0, 0]);
  const end = { wanted: stateOf(lab), writes: writes(lab.simulator).length };
  await lab.close();
  return end;
}

describe.each(Object.entries(WAYS))('%s of three machines at once', (wayName, way) => {
  let quiet: Awaited<ReturnType<typeof undisturbed>>;
  beforeAll(async () => (quiet = await undisturbed(way)));

  it.each(Object.entries(DEATHS))('ends alike when %s is killed at request k', async (name, die) => {
    const { wanted } = quiet;
    const row = Object.keys(WAYS).indexOf(wayName) + Object.keys(DEATHS).indexOf(name);
    const turns = turnsOf(row, Object.keys(DEATHS).length);
    const dies = async (step: number): Promise<boolean> => {
      if (!EVERY && step >= quiet.writes) return true;
      const k = EVERY ? Math.floor(step / 2) : step;
      const { lab, others } = await open(way);
      const { faults } = lab.simulator;
      const ms = name === 'a client' ? LATE : FOR_EVER;
      const effect = { kind: 'slow', ms, work: step % 2 === 0 ? 'not-done' : 'done' } as const;
      faults.add({ ...METHODS, path: '/**', after: k, effect });
      const runs = ids.map(id => way.go(lab, id));
      let isOver = false;
      void codesOf(runs).then(() => (isOver = true));
      await until(() => isOver || faults.list()[0]?.hits !== 0);
      const wasMet = faults.list()[0]?.hits !== 0;
      if (!EVERY) expect({ step, wasMet }).toEqual({ step, wasMet: true });
      const dead = wasMet ? die(lab, runs[k % 3]!) : [];
      faults.clear();
      const codes = await codesOf(runs);
      // the client that was to die may have ended just before
      expect({ step, codes }).toEqual({
        step,
        codes: runs.map((each, index) => (dead.includes(each) && codes[index] === null ? null : 0)),
      });
      const again = dead.map(each => way.go(lab, ids[runs.indexOf(each)]!));
      expect([step, await codesOf(again)]).toEqual([step, dead.map(() => 0)]);
      expect({ step, state: stateOf(lab) }).toEqual({ step, state: wanted });
      expect(foreignWrites({ others, simulator: lab.simulator })).toEqual([]);
      if (EVERY || step === turns.first) {
        await until(() => lab.workers().length === 0);
        expect({ step, files: lab.files() }).toEqual({ step, files: [] });
      }
      await lab.close();
      return !wasMet;
    };
    await eachUntilDone(2, dies, turns);
  });
});
