import { parseDesiredState } from '../../../spec';
import { administratorOf } from '../../support/cluster/administrator';
import { ActsOnce } from '../../support/cluster/acts-once';
import { marked } from '../../support/cluster/end-state';
import { imageServer, qcow2, sha256, type ImageServer } from '../../support/cluster/image-server';
import { desiredJson, errorsOf, lab, type Lab } from '../../support/cluster/lab';

const disk = qcow2(2 ** 31);
let cluster: Lab;
let server: ImageServer;
const actor = new ActsOnce();
beforeEach(async () => {
  server = await imageServer({ '/debian.qcow2': disk });
  cluster = await lab({ before: actor.asked });
});
afterEach(async () => {
  await cluster.close();
  await server.close();
});

async function bring(): Promise<string[]> {
  const url = server.url('/debian.qcow2');
  const image = { name: 'debian', url, checksum: sha256(disk), diskStorage: 'shared' };
  const web = { id: 'web', image: { machine: 'debian' }, power: 'stopped' };
  const parsed = parseDesiredState({ ...desiredJson([web]), images: [image] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return errorsOf(await cluster.run(parsed.value));
}

const template = () => Object.values(cluster.world.guests).find(({ vmid }) => vmid > 90_000);

async function makeTemplate(): Promise<void> {
  const { node, vmid } = template()!;
  expect(await administratorOf(cluster)('POST', `/nodes/${node}/qemu/${vmid}/template`)).toBe(true);
  while (template()?.config['template'] !== '1' || template()?.config['lock'] !== undefined)
    await new Promise(resolve => setTimeout(resolve, 5));
}

test('the disks of a template that a rival finishes while it is planned are not missed: both runs end well', async () => {
  let second: Promise<string[]> = Promise.resolve(['it was not begun']);
  // the first run is about to make the template when the second one begins, which has read its disk by its old name
  actor.before(/^POST \S+\/template$/, async () => {
    let isMade = (): void => undefined;
    const made = new Promise<void>(resolve => (isMade = resolve));
    actor.before(/^GET \S+\/storage\/shared\/content/, () => makeTemplate().then(isMade));
    second = bring();
    await Promise.race([made, second]);
  });
  expect(await bring()).toEqual([]);
  expect(await second).toEqual([]);
  expect(actor.hasActed()).toBe(true);
  expect([template()?.config['template'], marked(cluster.world, 'web').length]).toEqual(['1', 1]);
});
