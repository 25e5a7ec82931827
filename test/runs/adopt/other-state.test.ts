import { administratorOf } from '../../support/cluster/administrator';
import { programAccess } from '../../support/cluster/program-access';
import type { CliLab } from '../../support/processes/cli';
import { lineLab, runHere } from '../../support/runs/line-lab';

const web = { id: 'web', name: 'old', vmid: 777, adopt: true, power: 'unmanaged' };
let there: CliLab;
beforeEach(async () => {
  there = await lineLab({ timeScale: 50 });
  const made = { vmid: '777', name: 'old', scsi0: 'local-lvm:1' };
  expect(await administratorOf(there)('POST', '/nodes/pve1/qemu', made)).toBe(true);
  expect(await there.apply(web, { entry: 'e1' })).toMatchObject({ code: 0 });
});
afterEach(() => there.close());

test('`adopt: true` that stays in the code takes no machine from another state', async () => {
  const before = structuredClone(there.world.guests[777]!.config);
  const { told } = await there.observe({ web }, { web: 'e2' });
  expect(told['web.refusal']).toMatch(
    /belongs to another Terraform state of the same owner\. If this is another program.* or if two calls in this very state have this owner: give each an owner of its own, .*Only if both are lost/,
  );
  expect(await there.apply(web, { entry: 'e2', token: told['web.token'] ?? '' })).not.toMatchObject({
    code: 0,
  });
  expect(await there.destroy('web', { entry: 'e2' })).toMatchObject({ code: 0 });
  expect(there.world.guests[777]!.config).toEqual(before);
  expect(await there.apply(web, { entry: 'e1' })).toMatchObject({ code: 0 });
});

test('where that state is lost, what the refusal advises takes the machine', async () => {
  const owner = /--owner (\S+),/.exec(
    (await there.observe({ web }, { web: 'e2' })).told['web.refusal'] ?? '',
  );
  const words = ['release', 'web', '--owner', owner?.[1] ?? '', '--yes'];
  expect(await runHere(words, programAccess(there.simulator))).toMatchObject({ code: 0 });
  const { told } = await there.observe({ web }, { web: 'e2' });
  expect(await there.apply(web, { entry: 'e2', token: told['web.token'] ?? '' })).toMatchObject({ code: 0 });
  expect(await there.destroy('web', { entry: 'e2' })).toMatchObject({ code: 0 });
  expect(there.world.guests[777]).toBeUndefined();
});

describe('made by a state that is lost, released, and adopted by the next one', () => {
  const shop = { id: 'shop', vmid: 888, power: 'stopped', image: { blank: true } };
  const taken = { ...shop, adopt: true };
  const config = () => there.world.guests[888]!.config;
  const planned = async () => (await there.observe({ shop: taken })).told;
  beforeEach(async () => {
    expect(await there.apply(shop, { entry: 'e1' })).toMatchObject({ code: 0 });
    const release = ['release', 'shop', '--owner', 'team/lab', '--yes'];
    expect(await runHere(release, programAccess(there.simulator))).toMatchObject({ code: 0 });
    const token = (await planned())['shop.token'] ?? '';
    expect(await there.apply(taken, { entry: 'e2', token })).toMatchObject({ code: 0 });
    config()['description'] = 'mine';
  });

  test('its plan shows that its mark is written again, and the apply of that plan writes it', async () => {
    // the remedy of whoever has taken the word out again
    const without = await there.apply(shop, { entry: 'e2' });
    expect(without).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/set `adopt: true` with its vmid/) as string,
    });
    const told = await planned();
    expect(told).toMatchObject({ 'shop.effect': 'live', 'shop.refusal': '' });
    expect(told['shop.diff']).toContain('the mark was edited away; it is written again');
    expect(await there.apply(taken, { entry: 'e2', token: told['shop.token'] ?? '' })).toMatchObject({
      code: 0,
    });
    expect(config()['description']).toMatch(/^mine\n<!-- pvr:/);
    expect((await planned())['shop.status']).toBe('in-sync');
    expect(await there.destroy('shop', { entry: 'e2' })).toMatchObject({ code: 0 });
  });

  test('what the lost mark remembered is taken as done, as the plan says: nothing is rolled back, now or next', async () => {
    const at = `/nodes/${there.world.guests[888]!.node}/qemu/888`;
    expect(await administratorOf(there)('POST', `${at}/snapshot`, { snapname: 'good' })).toBe(true);
    const back = { ...taken, revertTo: 'good' };
    const told = (await there.observe({ shop: back })).told;
    expect(told['shop.diff']).toContain('taken as done: revertTo');
    there.writes();
    expect(await there.apply(back, { entry: 'e2', token: told['shop.token'] ?? '' })).toMatchObject({
      code: 0,
    });
    expect(there.writes()).toEqual([`PUT ${at}/config`]);
    expect((await there.observe({ shop: back })).told['shop.status']).toBe('in-sync');
  });

  test('another guest of its name and number is not taken by that plan, and by the next one', async () => {
    const { 'shop.token': token = '' } = await planned();
    config()['smbios1'] = 'uuid=11111111-1111-4111-8111-111111111111';
    const apply = (by: string) => there.apply(taken, { entry: 'e2', token: by });
    const says = /VM 888 on pve\d carries no mark of this machine now, and would be adopted/;
    expect(await apply(token)).toMatchObject({ code: 3, stderr: expect.stringMatching(says) as string });
    expect(config()['description']).toBe('mine');
    expect(await apply((await planned())['shop.token'] ?? '')).toMatchObject({ code: 0 });
  });
});
