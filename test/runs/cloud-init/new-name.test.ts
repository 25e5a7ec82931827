import { lab, type Json, type Lab } from '../../support/cluster/lab';

const web: Json = {
  id: 'web',
  node: 'pve1',
  image: { template: 9000 },
  networks: [{ name: 'lan', ipv4: 'dhcp' }],
};
const TOLD = 'the guest itself takes the new name at its next start';
let cluster: Lab;
beforeEach(async () => {
  cluster = await lab({ isOneConnection: true });
});
afterEach(() => cluster.close());

test("with Proxmox's own cloud-init drive a new name is said to come with the next start", async () => {
  expect(await cluster.bring(web)).toEqual([]);
  cluster.events.length = 0;
  expect(await cluster.bring({ ...web, name: 'front' })).toEqual([]);
  expect(cluster.world.guests[10_000]!.cloudInitImage).toMatchObject({ name: 'web' });
  expect(JSON.stringify(cluster.events)).toContain(TOLD);
});

test('without that drive nothing is said', async () => {
  const blank = { id: 'web', node: 'pve1', image: { blank: true } };
  expect(await cluster.bring(blank)).toEqual([]);
  expect(await cluster.bring({ ...blank, name: 'front' })).toEqual([]);
  expect(JSON.stringify(cluster.events)).not.toContain(TOLD);
});
