import path from 'node:path';
import type { Simulator } from '../../../simulator';
import { marked, writes } from '../../support/cluster/end-state';
import { programAccess } from '../../support/cluster/program-access';
import { startCluster } from '../../support/cluster/start-cluster';
import { theirPlace, worldForThem, type TheirPlace } from '../../support/moving/their-place';
import { whyNoBpg } from '../../support/moving/their-provider';
import { run } from '../../support/processes/cli';
import { skipped } from '../../support/skipped';
import { describeEachEngine } from '../../support/terraform/engines';

const TURNS = 10;

describeEachEngine("machines beside bpg's provider", engine => {
  const why = whyNoBpg(engine);
  if (why !== undefined) return skipped('share one configuration with it', why);

  let simulator: Simulator;
  let both: TheirPlace;
  beforeAll(async () => {
    simulator = await startCluster({ world: worldForThem(), taskMs: 5 });
    both = theirPlace(engine, simulator, ['providers.tf', 'beside.tf']);
    const module = await run(
      ['module', path.join(both.folder, 'modules', 'proxmox')],
      programAccess(simulator),
    );
    if (module.code !== 0) throw new Error(module.stderr);
    await both.init();
  });
  afterAll(async () => {
    both.close();
    await simulator.close();
  });

  const isOfAGuest = (line: string): boolean => line.includes('/qemu');

  // one after the other on one cluster; an odd turn changes only what their provider holds
  test.each(Array.from({ length: TURNS }, (_, turn) => turn))(
    'apply %d changes what is its own, takes back nothing of the other, and leaves an empty plan',
    async turn => {
      both.put('turn.auto.tfvars', `turn = ${turn}\n`);
      simulator.ledger.reset();
      await both.apply();
      const written = writes(simulator);
      expect(await both.plan()).toMatchObject({ code: 0 });
      if (turn % 2 === 1) expect(written.filter(isOfAGuest)).toEqual([]);
      expect(simulator.world.pools['shop']?.comment).toBe(`turn ${turn}`);
      const ours = ['web', 'db'].flatMap(id => marked(simulator.world, id));
      expect(simulator.world.pools['shop']?.vms.toSorted()).toEqual(ours.map(({ vmid }) => vmid).toSorted());
      for (const { config } of ours) expect(config['tags']).toContain(`turn-${turn - (turn % 2)}`);
      expect(ours).toHaveLength(2);
      expect(simulator.sim.defects.all()).toEqual([]);
    },
  );
});
