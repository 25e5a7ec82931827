import { runLine } from '../../reconciler/walk/live';
import { desired, desiredJson, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { blankMachine } from '../../support/runs/blank-machine';

let cluster: Lab;
beforeEach(async () => (cluster = await lab({ taskMs: 0 })));
afterEach(() => cluster.close());

const run = (verb: string, machines: Json[], ...more: string[]) =>
  runLine(
    [verb, '--spec', '-', ...more],
    { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' },
    JSON.stringify(desiredJson(machines)),
  );
const uuids = (): (string | undefined)[] =>
  Object.values(cluster.world.guests).flatMap(({ config }) =>
    config['description']?.includes('pvr:') ? [config['smbios1']] : [],
  );

const named = { ...blankMachine, name: 'shop-host' };
const BY_NAME =
  /orphan sh: VM 10000 on pve1.* is not in the desired state\. Mind: machine shop of team\/lab is wanted and has its name: it may be this very machine after an edit\. Then set the edit back, or give shop formerIds: \["sh"\] before it is made\./;
const BY_NOTHING =
  /orphan sh: VM 10000 on pve1.* is not in the desired state\. Mind: where shop is this machine with a new id, give that formerIds: \["sh"\] before it is made/;

describe.each([
  ['its name stays', named, BY_NAME],
  ['nothing else stays', blankMachine, BY_NOTHING],
])('an id that was edited, where %s', (_, kind, says) => {
  const [sh, shop] = ['sh', 'shop'].map(id => ({ ...kind, id }));

  beforeEach(async () => {
    await cluster.run(desired([sh!]));
  });

  it('the plan says that formerIds keeps the guest, and that does', async () => {
    const before = uuids();
    expect((await run('plan', [shop!])).said).toMatch(says);
    const kept = { ...shop!, formerIds: ['sh'] };
    const { code, said } = await run('reconcile', [kept]);
    expect([code, uuids()]).toEqual([0, before]);
    expect(said).not.toContain('orphan');
  });

  it('the plan has it as JSON too', async () => {
    const { orphans } = JSON.parse((await run('plan', [shop!], '--json')).out) as {
      orphans: { mayBe: string }[];
    };
    expect(orphans[0]?.mayBe).toContain('formerIds: ["sh"]');
  });

  it('reconcile says it before it makes anything', async () => {
    const { said } = await run('reconcile', [shop!]);
    const lines = said.split('\n');
    const at = (what: RegExp): number => lines.findIndex(line => what.test(line));
    expect(at(says)).toBeGreaterThanOrEqual(0);
    expect(at(says)).toBeLessThan(at(/^(?:.* )?shop: /));
  });

  it('nothing is said of it where no machine is new', async () => {
    const { said } = await run('plan', []);
    expect(said).toContain('orphan sh');
    expect(said).not.toContain('formerIds');
  });
});
