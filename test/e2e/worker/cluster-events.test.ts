import { placeOfProcesses } from '../../support/processes/machines-at-once';
import { MODES, TerraformProcesses } from '../../support/processes/terraform-processes';
import { endsAlikeDespite, passing, WRITES } from '../../support/runs/cluster-events';
import { endsAlikeWhenLost, outages } from '../../support/processes/lost-at-once';
import { losses } from '../../support/runs/lost-answers';
import { scenarios } from '../../support/runs/scenarios';
import { PROCESSES } from '../../support/turns';

/** In the gate one of each; with PROCESSES=N each of each scenario, at every N-th request of it. */
const EVENTS: [event: string, scenario: string][] = [['the quorum is lost and comes back', 'destroy']];
const LOSSES: [loss: string, scenario: string][] = [
  ['the answer to a write is lost', 'create by clone'],
  ['the API is overloaded for a while', 'create blank'],
];
const all = { ...losses, ...outages };
/** A process that works alone takes long to start. */
const STRIDES = { shared: 37, alone: 61 };

const there = Object.keys(scenarios).filter(name => scenarios[name]!.have !== undefined);
const allEvents = Object.keys(passing)
  .flatMap(event => there.map(name => [event, name] as const))
  // a spec that says nothing of tags, and that no restart may follow, leaves there what somebody wrote
  .filter(([event, name]) => event !== WRITES || name !== 'disk move');
const allLosses = Object.keys(all).flatMap(loss => Object.keys(scenarios).map(name => [loss, name] as const));

describe.each(MODES)('three machines of one plan, as processes of Terraform: %s', mode => {
  let processes: TerraformProcesses;
  beforeAll(() => (processes = new TerraformProcesses(mode)));
  afterAll(() => processes.end());
  const place = () => placeOfProcesses(processes, PROCESSES ?? STRIDES[mode]);

  it.each(PROCESSES ? allEvents : EVENTS)('%s, at some request of: %s', async (event, name) => {
    await endsAlikeDespite(event, name, place());
    expect.hasAssertions();
  });

  it.each(PROCESSES ? allLosses : LOSSES.slice(mode === 'alone' ? 1 : 0))(
    '%s, at some request of: %s',
    async (loss, name) => {
      await endsAlikeWhenLost(scenarios[name]!, all[loss]!, place());
      expect.hasAssertions();
    },
  );
});
