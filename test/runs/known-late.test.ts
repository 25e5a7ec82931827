import type { Json } from '../support/cluster/lab';
import type { CliLab } from '../support/processes/cli';
import { lineLab } from '../support/runs/line-lab';
import { walkOf } from '../../reconciler/commands/observe/walk-of';

const web = {
  id: 'web',
  image: { template: 'ubuntu-22.04' },
  power: 'stopped',
  disks: [{ name: 'root' }],
};
const data = { name: 'data', size: '1Gi', storage: 'local', onRemove: 'delete' };
const LATE = { PROXMOX_UNSHOWN: 'unshown' };

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

/** Plans in the apply, as Terraform does where the spec is known then only, and applies that. */
async function late(spec: Json, env: Record<string, string> = LATE) {
  const want = { ...spec, id: 'web' };
  const { told } = await lab.observe({ web: want }, { web: 'e1' });
  lab.writes();
  const { code, stderr } = await lab.apply(want, { token: told['web.token'] ?? '', env });
  return { code, stderr, writes: lab.writes() };
}

const made = async (spec: Json): Promise<void> => {
  expect(await late(spec)).toMatchObject({ code: 0 });
};

describe('what no plan could show, as the spec was not known before', () => {
  test.each<[string, Json, Json, RegExp]>([
    [
      'a rebuild',
      { ...web, onImageChange: 'rebuild' },
      { ...web, onImageChange: 'rebuild', image: { template: 'debian-12' } },
      /the machine is destroyed and made anew, which takes \S+vm-10000-disk-0/,
    ],
    [
      'the end of a disk',
      { ...web, disks: [{ name: 'root' }, data] },
      web,
      /this is lost: local:10000\/vm-10000-disk-0.raw\./,
    ],
  ])('%s is refused, and the next plan does it', async (_, before, after, says) => {
    await made(before);
    const refused = await late(after);
    expect(refused).toMatchObject({ code: 3, writes: [] });
    expect(refused.stderr).toMatch(says);
    expect(refused.stderr).toContain('Plan again: what this apply made is known then.');
    expect(refused.stderr).toContain('Nothing was changed.');
    expect(await late(after, {})).toMatchObject({ code: 0 });
  });

  test('going back to a snapshot is refused', async () => {
    await made(web);
    const wire = { PROXMOX_SNAPSHOT: JSON.stringify({ machine: 'web', name: 'clean' }) };
    expect(await lab.apply(web, { env: wire })).toMatchObject({ code: 0 });
    await made({ ...web, tags: ['x'] });
    const refused = await late({ ...web, tags: ['x'], revertTo: 'clean' });
    expect(refused).toMatchObject({ code: 3, writes: [] });
    expect(refused.stderr).toContain('goes back to snapshot clean, and loses what was written since');
  });

  test('the oldest snapshot of a change is not deleted', async () => {
    const careful = { ...web, snapshotBeforeChange: { keep: 1 } };
    await made(careful);
    await made({ ...careful, memory: '3Gi' });
    const refused = await late({ ...careful, memory: '4Gi' });
    expect(refused).toMatchObject({ code: 3, writes: [] });
    expect(refused.stderr).toContain('this is lost: ');
  });
});

test('what loses nothing is done: a create, a live change, a disk more', async () => {
  await made(web);
  await made({ ...web, tags: ['late'] });
  await made({ ...web, memory: '4Gi', disks: [{ name: 'root' }, data] });
});

test('a walk of Terraform has a name of its own, where its provider has a certificate', () => {
  const of = (certificate: string) => walkOf({ environment: { PLUGIN_CLIENT_CERT: certificate } });
  expect(of('one')).toEqual(of('one'));
  expect(of('one')).not.toEqual(of('two'));
  expect(of('')).toEqual({});
});

test('observe tells it', async () => {
  Object.assign(lab.access, { PLUGIN_CLIENT_CERT: 'one' });
  const { told } = await lab.observe({ web });
  expect(told).toMatchObject({ walk: expect.stringMatching(/^[\w-]{16}$/) as string });
});
