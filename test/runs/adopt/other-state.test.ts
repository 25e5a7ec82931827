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
