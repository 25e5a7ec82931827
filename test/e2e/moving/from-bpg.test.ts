import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Simulator } from '../../../simulator';
import { ask } from '../../support/cluster/ask';
import { marked, writes } from '../../support/cluster/end-state';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { theirPlace, worldForThem, type TheirPlace } from '../../support/moving/their-place';
import { whyNoBpg } from '../../support/moving/their-provider';
import { shownGuests, unlike } from '../../support/moving/unlike';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';
import { describeEachEngine } from '../../support/terraform/engines';

const GUESTS = 40;

describeEachEngine("guests of bpg's provider", engine => {
  const why = whyNoBpg(engine);
  if (why !== undefined) return skipped('move to a program', why);

  let simulator: Simulator;
  let old: TheirPlace;
  beforeAll(async () => {
    simulator = await startCluster({ world: worldForThem(), taskMs: 20 });
    old = theirPlace(engine, simulator, ['providers.tf', 'kept.tf', 'guests.tf']);
    await old.init();
    await old.apply();
  });
  afterAll(async () => {
    old.close();
    await simulator.close();
  });

  const at = (file: string): string => path.join(old.folder, file);
  const adopt = (...args: string[]) =>
    run(
      [
        ...['adopt', '--from-state', at('before.json'), '--owner', 'shop', '--cluster', 'lab'],
        ...['--form', 'yaml', '--out', at('machines.yaml'), ...args],
      ],
      programAccess(simulator),
    );
  const tasks = async (): Promise<unknown> => (await ask(simulator, 'GET', '/cluster/tasks')).data as unknown;

  test('forty of twelve kinds move without a change but their marks, and nobody destroys one', async () => {
    expect(await old.plan()).toMatchObject({ code: 0 });
    const before = await shownGuests(simulator);
    const tasksBefore = await tasks();
    old.put('before.json', await old.show());
    simulator.ledger.reset();

    const looked = await adopt('--forget', at('forget.tf.json'));
    expect({ looked, writes: writes(simulator) }).toMatchObject({ looked: { code: 0 }, writes: [] });
    expect(looked.stderr).not.toMatch(/REFUSED|the state says/);

    old.remove('guests.tf');
    const leaving = await old.plan();
    expect(leaving).toMatchObject({ code: 2, text: expect.stringContaining('0 to destroy') as string });
    await old.apply();
    expect(await old.plan()).toMatchObject({ code: 0 });
    expect(unlike(before, await shownGuests(simulator))).toEqual([]);
    simulator.ledger.reset();

    const moved = await adopt('--yes', '--force');
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.stderr.match(/its next plan is empty/g)).toHaveLength(GUESTS);
    const puts = writes(simulator);
    expect(new Set(puts).size).toBe(GUESTS);
    expect(puts.filter(line => !/^PUT \/nodes\/pve\d\/qemu\/\d+\/config$/.test(line))).toEqual([]);
    expect(puts).toHaveLength(GUESTS);

    const marks = readFileSync(at('machines.yaml'), 'utf8').match(/^ {2}- id: "(.*)"$/gm) ?? [];
    expect(marks).toHaveLength(GUESTS);
    for (const [, id = ''] of marks.map(line => /"(.*)"/.exec(line) ?? []))
      expect(marked(simulator.world, id)).toHaveLength(1);
    expect(unlike(before, await shownGuests(simulator))).toEqual([]);
    expect(await tasks()).toEqual(tasksBefore);

    expect(await old.plan()).toMatchObject({ code: 0 });
    const planned = await run(['plan', '--check', '--spec', at('machines.yaml')], programAccess(simulator));
    expect(planned).toMatchObject({ code: 0 });
    expect(simulator.sim.defects.all()).toEqual([]);
  });
});
