import type { World } from '../../../simulator';
import type { Before } from '../../../simulator/control/site';
import { endState, writes } from '../../support/cluster/end-state';
import { eachUntilDone } from '../../support/in-parallel';
import { sharedLab, small, until, type SharedLab } from '../../support/processes/shared-lab';
import { EVERY } from '../../support/turns';

/** In the gate a client is interrupted at each write; with KILLS=every at each request. */

const changed = small('a', { memory: '2Gi', tags: ['new'] });
const WAYS = {
  create: { isThere: false, go: (lab: SharedLab) => lab.apply(small('a')) },
  change: { isThere: true, go: (lab: SharedLab) => lab.apply(changed) },
  destroy: { isThere: true, go: (lab: SharedLab) => lab.destroy('a') },
};

let prepared: World;
beforeAll(async () => {
  const lab = await sharedLab();
  expect((await lab.apply(small('a')).ended).code).toBe(0);
  prepared = structuredClone(lab.world);
  await lab.close();
});

/** Request `k` waits before it is looked at, until `release`. */
function heldAt(k: number) {
  let seen = 0;
  let isMet = false;
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => (release = resolve));
  const before: Before = ({ method }) => {
    if (method === 'GET' && !EVERY) return;
    seen += 1;
    if (seen !== k + 1) return;
    isMet = true;
    return released;
  };
  return { before, isMet: () => isMet, release: () => release() };
}

test.each(Object.entries(WAYS))(
  'an interrupt at request k of a %s ends it, and nothing is written after its end, for every k',
  async (_, { isThere, go }) => {
    const world = isThere ? { world: prepared } : {};
    const quiet = await sharedLab(structuredClone(world));
    expect((await go(quiet).ended).code).toBe(0);
    const wanted = endState(quiet.simulator, 'a');
    await quiet.close();
    await eachUntilDone(2, async k => {
      const { before, isMet, release } = heldAt(k);
      const lab = await sharedLab({ taskMs: 50, before, ...structuredClone(world) });
      const running = go(lab);
      let isOver = false;
      void running.ended.then(() => (isOver = true));
      await until(() => isOver || isMet());
      if (isMet()) {
        running.child.kill('SIGINT');
        await running.said('SIGINT: nothing more is started');
      }
      release();
      const { code } = await running.ended;
      // by its last write all was done
      if (code === 0) expect({ k, state: endState(lab.simulator, 'a') }).toEqual({ k, state: wanted });
      else expect({ k, code, isMet: isMet() }).toEqual({ k, code: 130, isMet: true });
      const sent = writes(lab.simulator);
      await until(() => lab.workers().length === 0);
      expect({ k, late: writes(lab.simulator).slice(sent.length), files: lab.files() }).toEqual({
        ...{ k, late: [], files: [] },
      });
      expect([k, (await go(lab).ended).code]).toEqual([k, 0]);
      expect({ k, state: endState(lab.simulator, 'a') }).toEqual({ k, state: wanted });
      await lab.close();
      return !isMet();
    });
  },
);
