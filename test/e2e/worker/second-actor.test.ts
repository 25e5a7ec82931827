import type { World } from '../../../simulator';
import type { Lab } from '../../support/cluster/lab';
import { alike, AT_ONCE, planAtOnce } from '../../support/processes/machines-at-once';
import { MODES, TerraformProcesses } from '../../support/processes/terraform-processes';
import { preparedWorld } from '../../support/runs/scenarios';
import { acts, type Act } from '../../support/runs/second-actor';
import { secondActorFaults } from '../../support/runs/second-actor-faults';
import { changing, comingAndGoing } from '../../support/runs/second-actor-scenarios';
import { halfWay, PROCESSES } from '../../support/turns';

/** In the gate these; with PROCESSES=N each act on each way, before every N-th request of it. */
const GATE: [way: string, act: string][] = [
  ['create by clone', 'deletes it and makes another'],
  ['change', 'takes all away and renames it'],
];
/** A process that works alone takes long to start. */
const STRIDES = { shared: 47, alone: 97 };

// whose guest a write to a pool is, its path does not tell: of several at once nobody knows
const { have, want: { pool: _, ...change } = {} } = changing['change']!;
const ways: typeof changing = { ...comingAndGoing, ...changing, change: { have, want: change } };
const all = Object.keys(ways).flatMap(way => Object.keys(acts).map(act => [way, act] as const));
const worlds = new Map<string, Promise<World>>();

const worldOf = (way: string): Promise<World> => {
  const prepared = worlds.get(way) ?? preparedWorld(ways[way]!, alike);
  worlds.set(way, prepared);
  return prepared;
};

/** Tokens of root: whoever shares a worker with another run of these has not its credentials, and so not its readings. */
let tokens = 0;

describe.each(MODES)('three machines of one plan, as processes of Terraform: %s', mode => {
  let processes: TerraformProcesses;
  beforeAll(() => (processes = new TerraformProcesses(mode)));
  afterAll(() => processes.end());

  const begin = (cluster: Lab, want: Parameters<typeof planAtOnce>[1]) => {
    const token = { id: `root@pam!t${(tokens += 1)}`, secret: 'secret' };
    const { tokens: known } = cluster.simulator.world.access.users['root@pam']!;
    known[`t${tokens}`] = { value: token.secret, privsep: false };
    return planAtOnce(processes.on(cluster.simulator, token), want);
  };

  const stride = PROCESSES ?? STRIDES[mode];
  it.each(PROCESSES ? all : GATE.slice(mode === 'alone' ? 1 : 0))(
    `%s; somebody else %s, before one request in ${stride}`,
    async (way, act) => {
      const how = {
        begin,
        again: begin,
        machines: AT_ONCE.length,
        turns: halfWay(stride),
        triesAgain: true,
        inParallel: 2,
      };
      let count = 0;
      const counted: Act = async to => {
        const isDone = await acts[act]!(to);
        if (isDone) count += 1;
        return isDone;
      };
      expect(await secondActorFaults(await worldOf(way), ways[way]!.want, counted, how)).toEqual([]);
      if (PROCESSES === undefined) expect(count).toBeGreaterThan(0);
    },
  );
});
