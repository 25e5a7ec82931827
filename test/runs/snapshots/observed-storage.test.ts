import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';

const disk = { name: 'root', size: '1G', storage: 'local' };
const web = { id: 'web', node: 'pve1', image: { blank: true }, power: 'stopped', disks: [disk] };
const CLEAN = { 'snapshot.web.clean': JSON.stringify({ machine: 'web', name: 'clean' }) };
const KEY = 'snapshot.web.clean';

let lab: CliLab;
beforeEach(async () => (lab = await lineLab()));
afterEach(() => lab.close());

test('a new machine whose snapshot could not be taken: its plan says so, before anything is made', async () => {
  const { told } = await lab.observe({ web }, {}, CLEAN);
  expect(told['web.status']).toBe('refused');
  expect(`${told['web.refusal']}${told['web.alone']}`).toMatch(
    /The machine cannot have snapshots: scsi0 is raw on local \(dir\).*qcow2/,
  );
  // without one, and by the remedy, it is made
  expect((await lab.observe({ web })).told['web.status']).toBe('absent');
  const asQcow2 = { ...web, disks: [{ ...disk, format: 'qcow2' }] };
  expect((await lab.observe({ web: asQcow2 }, {}, CLEAN)).told).toMatchObject({
    'web.status': 'absent',
    [`${KEY}.refusal`]: '',
    [`${KEY}.does`]: 'take',
  });
});

test('a machine that is there: the remedy is no reason to refuse, as its own apply moves the disk first', async () => {
  expect(await lab.apply(web)).toMatchObject({ code: 0 });
  const { told } = await lab.observe({ web }, {}, CLEAN);
  expect(told[`${KEY}.refusal`]).toContain('cannot have snapshots: scsi0 is raw on local');
  const asQcow2 = { ...web, disks: [{ ...disk, format: 'qcow2' }] };
  expect((await lab.observe({ web: asQcow2 }, {}, CLEAN)).told).toMatchObject({
    'web.status': 'different',
    [`${KEY}.refusal`]: '',
    [`${KEY}.does`]: 'take',
  });
  // a change of something else moves nothing
  const other = await lab.observe({ web: { ...web, tags: ['one'] } }, {}, CLEAN);
  expect(other.told[`${KEY}.refusal`]).toContain('cannot have snapshots');
  const entry = { ...web, disks: asQcow2.disks };
  expect(await lab.apply(entry)).toMatchObject({ code: 0 });
  expect((await lab.observe({ web: entry }, {}, CLEAN)).told[`${KEY}.refusal`]).toBe('');
});
