import type { CliLab } from '../../support/processes/cli';
import { cliLab } from '../../support/processes/cli';
import { inParallel, numbersBelow } from '../../support/in-parallel';
import { EVERY } from '../../support/turns';

let lab: CliLab;
beforeEach(async () => {
  lab = await cliLab({ taskMs: 50 });
});
afterEach(() => lab.close());

const clone = (id: string) => ({
  id,
  image: { template: 'ubuntu-22.04' },
  cpu: { cores: 4 },
  disks: [{ name: 'root', size: '40G' }],
  networks: [{ name: 'lan' }],
});

/** One observe of them all, then an apply of each, ten at a time, as Terraform does it. */
async function deploy(ids: string[], between = () => Promise.resolve()): Promise<void> {
  const specs = Object.fromEntries(ids.map(id => [id, clone(id)]));
  const { told } = await lab.observe(specs, Object.fromEntries(ids.map(id => [id, ''])));
  await between();
  lab.simulator.ledger.reset();
  await inParallel(10, ids, async id => {
    const { code, stderr } = await lab.apply(clone(id), { token: told[`${id}.token`] ?? '' });
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  });
}

const vmidOf = (id: string) => lab.guests(id).map(({ vmid }) => vmid);

const MANY = EVERY ? 50 : 20;

test(`${MANY} machines of one plan have ids in their order, and no clone is sent twice`, async () => {
  const ids = numbersBelow(MANY).map(index => `m${index}`);
  await deploy(ids);
  expect(ids.flatMap(vmidOf)).toEqual(numbersBelow(MANY).map(index => 10_000 + index));
  // a lost race would repeat the clone; reads of what neighbours are making just then are not counted
  const writes = lab.writes().map(line => line.replace(/pve\d\/qemu\/100\d\d/, 'NODE/qemu/ID'));
  const times = (line: string) => writes.filter(other => other === line).length;
  expect(Object.fromEntries([...new Set(writes)].map(line => [line, times(line)]))).toEqual({
    'POST /nodes/pve1/qemu/9000/clone': MANY,
    'PUT /nodes/NODE/qemu/ID/config': MANY,
    'PUT /nodes/NODE/qemu/ID/resize': MANY,
    'POST /nodes/NODE/qemu/ID/status/start': MANY,
  });
});

test('an id that somebody takes between plan and apply costs the machine nothing but that id', async () => {
  await deploy(['web'], async () => {
    const foreign = { id: 'foreign', image: { blank: true }, vmid: 10_000, power: 'stopped' };
    expect((await lab.apply(foreign)).code).toBe(0);
  });
  expect(vmidOf('web')).toEqual([10_001]);
});
