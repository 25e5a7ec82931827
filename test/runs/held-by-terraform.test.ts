import { readDescription, writeDescription } from '../../reconciler/mark/description';
import { runLine } from '../reconciler/walk/live';
import { desired, lab, type Json, type Lab } from '../support/cluster/lab';
import { programAccess, takeWrites } from '../support/cluster/program-access';
import { blankMachine } from '../support/runs/blank-machine';

const web: Json = { ...blankMachine, id: 'web', memory: '1Gi' };
const WARNED = /a Terraform state holds it: what is changed here, its next apply changes back/;
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
  expect(await cluster.bring(web)).toEqual([]);
  const { text, mark } = readDescription(guest().config['description'] ?? '');
  guest().config['description'] = writeDescription(text, { ...mark!, entry: '4711' });
  cluster.events.length = 0;
});
afterEach(() => cluster.close());

const guest = () => Object.values(cluster.world.guests).find(({ config }) => config['name'] === 'web')!;
const warnings = (): string[] =>
  cluster.events.flatMap(event => (event.kind === 'warning' ? [event.text] : []));

test('a change by files of what a Terraform state holds is warned of, and nothing is said without one', async () => {
  expect(await cluster.bring(web)).toEqual([]);
  expect(warnings()).toEqual([]);
  expect(await cluster.bring({ ...web, memory: '2Gi' })).toEqual([]);
  expect(warnings()).toEqual([expect.stringMatching(WARNED)]);
});

test('the warning says how these files keep it instead', async () => {
  const vmid = guest().vmid;
  expect(await cluster.bring({ ...web, vmid, adopt: true })).toEqual([]);
  const access = programAccess(cluster.simulator);
  const released = await runLine(['release', 'web', '--owner', 'team/lab', '--yes'], access, '');
  expect(released).toMatchObject({ code: 0 });
  takeWrites(cluster.simulator);
  expect(await cluster.bring({ ...web, memory: '2Gi', vmid, adopt: true })).toEqual([]);
  expect(await cluster.bring({ ...web, memory: '3Gi', vmid, adopt: true })).toEqual([]);
  expect(warnings().filter(text => WARNED.test(text))).toEqual([]);
  expect(guest().config['memory']).toBe('3072');
  const [state] = await cluster.run(desired([{ ...web, memory: '3Gi', vmid, adopt: true }]));
  expect(state).toMatchObject({ kind: 'as-wanted' });
});
