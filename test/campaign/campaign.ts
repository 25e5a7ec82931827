/**
/**
 * Longer seeded runs: `npm run test:campaign -- [NAME] [ROUNDS, or minutes as 30m] [SEED]`. Prints the seed that it starts from, so that a
 * failure can be run again. `convergence`: each round follows 50 pairs of random specs to their rest, holds the plans of
 * 50 running machines against their restarts, and refuses one request of each field's change. `adoption`: each round adopts 50 machines that were
 * made by hand. `rivals`: two to four
 * runs of one machine at once, beside a slow clone of somebody else. `task-lists`: nine machines made, changed and
 * destroyed at once, where the lists of running tasks lag, drop tasks, stay empty, or tell of ended ones.
 */
import { adoptionFaults } from '../support/runs/adoption-faults';
import { convergenceFaults } from '../support/runs/convergence-faults';
import { offFaults } from '../support/runs/off-faults';
import { restartFaults } from '../support/runs/restart-faults';
import { rivalFaults, rivalMachines } from '../support/runs/rival-faults';
import { LISTS, taskListFaults } from '../support/runs/task-list-faults';

interface Campaign {
  rounds: number;
  round: (seed: number) => Promise<string[]>;
}

const PAIRS = 50;

const CAMPAIGNS: Record<string, Campaign> = {
  convergence: {
    rounds: 20,
    round: async seed => [
      ...(await convergenceFaults(seed * PAIRS, PAIRS)),
      ...(await restartFaults(seed * PAIRS, PAIRS)),
      ...(await offFaults(seed)),
    ],
  },
  adoption: { rounds: 20, round: seed => adoptionFaults(seed * PAIRS, PAIRS) },
  'task-lists': {
    rounds: 100,
    round: seed => {
      const lists = Object.keys(LISTS);
      return taskListFaults(lists[seed % lists.length] ?? '', seed);
    },
  },
  rivals: {
    rounds: 200,
    round: async seed => {
      const kinds = Object.values(rivalMachines);
      const machine = kinds[seed % kinds.length] ?? {};
      const runs = 2 + (Math.floor(seed / kinds.length) % 3);
      return rivalFaults({ machine, runs, seed, besideClone: seed % 7 !== 0 });
    },
  },
};

async function main(): Promise<void> {
  const [name = 'convergence', many, from] = process.argv.slice(2);
  const campaign = CAMPAIGNS[name];
  if (!campaign) throw new Error(`no campaign '${name}'; there are ${Object.keys(CAMPAIGNS).join(', ')}`);
  const minutes = /^(\d+)m$/.exec(many ?? '')?.[1];
  const rounds = minutes === undefined ? Number(many ?? campaign.rounds) : Infinity;
  const end = Date.now() + Number(minutes ?? Infinity) * 60_000;
  const first = Number(from ?? Date.now() % 10_000);
  console.log(
    `${name}: ${minutes === undefined ? `${rounds} rounds` : `${minutes} minutes`} from seed ${first}`,
  );
  let seed = first;
  for (; seed < first + rounds && Date.now() < end; seed += 1) {
    const faults = await campaign.round(seed);
    if (faults.length === 0) continue;
    console.error(`seed ${seed}:\n${faults.join('\n')}`);
    process.exitCode = 1;
    return;
  }
  console.log(`${name}: ${seed - first} rounds, no fault`);
}

void main();
