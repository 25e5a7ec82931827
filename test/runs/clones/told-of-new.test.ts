import { desired, desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';
import { programAccess } from '../../support/cluster/program-access';
import { runLine } from '../../reconciler/walk/live';

let cluster: Lab;
beforeEach(async () => (cluster = await lab()));
afterEach(() => cluster.close());

const card = (name: string): Json => ({ name, bridge: 'vmbr0' });
const source: Json = {
  ...{ id: 'source', image: { template: 'ubuntu-22.04' }, memory: '3Gi', cpu: { cores: 4 }, tags: ['s'] },
  ...{ onBoot: true, power: 'stopped', networks: [card('lan')] },
  disks: [
    { name: 'root', size: '40G' },
    { name: 'data', size: '4G', storage: 'local-lvm', slot: 'scsi1' },
  ],
};
const blank: Json = {
  ...{ id: 'source', image: { blank: true }, memory: '3Gi', power: 'stopped', tags: ['s'] },
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};
const copy: Json = { id: 'copy', image: { machine: 'source' }, power: 'stopped' };

interface Planned {
  machines: { machine: string; changes: { field: string; from?: string; to?: string }[] }[];
}

/** What a plan tells of the copy, without what is drawn and where its source is. */
async function told(machines: Json[]): Promise<string[]> {
  const env = { ...programAccess(cluster.simulator), PVE_TASK_POLL_INTERVAL: '5ms' };
  const { out, said } = await runLine(
    ['plan', '--json', '--spec', '-'],
    env,
    JSON.stringify(desiredJson(machines)),
  );
  if (out === '') throw new Error(said);
  const plan = (JSON.parse(out) as Planned).machines.find(({ machine }) => machine === 'copy');
  return (plan?.changes ?? [])
    .filter(({ field }) => !['identity', 'machine'].includes(field))
    .map(({ field, from = '', to = '' }) => `${field}: ${withoutOurs(from)} -> ${withoutOurs(to)}`);
}

const withoutOurs = (tags: string): string => tags.replace(/pvr-\w+;?/g, '').replace(/;$/, '');

describe.each([
  ['a clone of a template', source],
  ['made from nothing', blank],
])('a copy of a new machine that is %s is told as one of a machine that is there', (_, from) => {
  it.each<[string, Json]>([
    ['nothing differs', {}],
    ['the same words', { memory: '3Gi', tags: ['s'] }],
    ['fields', { memory: '4Gi', tags: ['b'], onBoot: false, description: 'a copy' }],
    ['a larger disk', { disks: [{ name: 'root', size: '50G' }] }],
    ['a smaller machine', { cpu: { cores: 1 }, memory: '1Gi' }],
    ['cards', { networks: [card('lan'), card('more')] }],
    ['one more disk', { disks: [{ name: 'root' }, { name: 'more', size: '1G', storage: 'local-lvm' }] }],
    ['what runs', { power: 'running' }],
  ])('%s', async (__, fields) => {
    const machines = [from, { ...copy, ...fields }];
    const before = await told(machines);
    expect(errorsOf(await cluster.run(desired([from])))).toEqual([]);
    expect(before).toEqual(await told(machines));
    expect(errorsOf(await cluster.run(desired(machines)))).toEqual([]);
    expect(await told(machines)).toEqual([]);
  });
});
