import { brokenInvariants } from '../../../simulator/invariants/broken';
import { parseDesiredState } from '../../../spec';
import { ActsOnce } from '../../support/cluster/acts-once';
import { administratorOf } from '../../support/cluster/administrator';
import { marked } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desiredJson, errorsOf, lab, type Json, type Lab } from '../../support/cluster/lab';

const disk = qcow2(2 ** 31);
const digits = sha256(disk).slice(7, 17);
let cluster: Lab;
let server: ImageServer;
let somebody: ActsOnce;
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk });
  somebody = new ActsOnce();
  cluster = await lab({ before: somebody.asked });
});
afterEach(async () => {
  expect(brokenInvariants(cluster.simulator.sim)).toEqual([]);
  await cluster.close();
  await server.close();
});

const image = (fields: Json = {}): Json => ({
  ...{ name: 'debian', url: server.url('/debian.qcow2'), checksum: sha256(disk), diskStorage: 'shared' },
  ...fields,
});
const web = { id: 'web', placement: { nodes: ['pve1'] }, image: { machine: 'debian' }, power: 'stopped' };
const bring = async (of: Json, ...machines: Json[]) => {
  const parsed = parseDesiredState({ ...desiredJson(machines), images: [of] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return errorsOf(await cluster.run(parsed.value));
};
const removes = (id: string) => async () => {
  const [guest] = marked(cluster.world, id);
  expect(await administratorOf(cluster)('DELETE', `/nodes/${guest?.node}/qemu/${guest?.vmid}`)).toBe(true);
};
/** The steps of a run, and what somebody else removes directly before them. */
const ROWS: [string, RegExp, string, Json, string][] = [
  ['the template before it is cloned', /^POST .*\/clone$/, `debian-${digits}`, {}, 'or was removed since'],
  [
    'the guest before it becomes a template',
    /^POST .*\/template$/,
    `debian-${digits}`,
    {},
    'was made on pve1, and is not there any more',
  ],
  [
    'one of two replicas before it is cloned',
    /^POST .*\/clone$/,
    `debian-${digits}-pve1`,
    { nodes: ['pve1', 'pve2'], diskStorage: 'local-lvm' },
    '',
  ],
];

test.each(ROWS)(
  'somebody removes %s: the run ends, and the next one ends well',
  async (_, line, id, fields, says) => {
    somebody.before(line, removes(id));
    const errors = await bring(image(fields), web);
    // where another replica is left, it is cloned from that one
    says === '' ? expect(errors).toEqual([]) : expect(errors.join()).toContain(says);
    expect(await bring(image(fields), web)).toEqual([]);
    expect(somebody.hasActed()).toBe(true);
    expect(marked(cluster.world, 'web')).toHaveLength(1);
    expect(marked(cluster.world, id)).toMatchObject([{ config: { template: '1' } }]);
    expect(server.downloads()).toBe(1);
  },
);
