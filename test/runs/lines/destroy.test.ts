import type { CliLab } from '../../support/processes/cli';
import { lineLab } from '../../support/runs/line-lab';
import { alteredCluster } from '../../support/cluster/altered-cluster';
import { askToEnd } from '../../support/cluster/ask';

const web = {
  id: 'web',
  image: { blank: true },
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};

let lab: CliLab;
beforeEach(async () => {
  lab = await lineLab();
});
afterEach(() => lab.close());

async function made(fields: object = {}) {
  expect((await lab.apply({ ...web, ...fields })).code).toBe(0);
  lab.writes();
  return lab.guests('web')[0]!;
}

test('a machine that runs: read, stop, read, delete', async () => {
  await made();
  const { code, stderr } = await lab.destroy('web');
  expect({ code, left: lab.guests('web') }).toEqual({ code: 0, left: [] });
  expect(stderr).toContain('web: destroyed');
  const calls = lab.simulator.ledger
    .entries()
    .map(({ method, path }) => `${method} ${path}`)
    .filter(line => line.includes('/qemu/'));
  expect(calls).toEqual([
    'GET /nodes/pve1/qemu/10000/pending',
    'POST /nodes/pve1/qemu/10000/status/stop',
    'GET /nodes/pve1/qemu/10000/pending',
    'DELETE /nodes/pve1/qemu/10000',
  ]);
});

test('already gone is done', async () => {
  expect(await lab.destroy('web')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('already gone') as string,
  });
  expect(lab.writes()).toEqual([]);
});

test('an entry of another Terraform state is left alone', async () => {
  await made();
  const { code, stderr } = await lab.destroy('web', { entry: 'e2' });
  expect({ code, writes: lab.writes(), left: lab.guests('web').length }).toEqual({
    code: 0,
    writes: [],
    left: 1,
  });
  expect(stderr).toContain('another Terraform state');
});

test('without an entry what Terraform made is refused', async () => {
  await made();
  expect(await lab.destroy('web', { entry: '' })).toMatchObject({ code: 3 });
  expect(lab.writes()).toEqual([]);
});

test('a machine that lost its tag and was renamed is found by its entry', async () => {
  const guest = await made();
  guest.config['name'] = 'other';
  delete guest.config['tags'];
  guest.running = null;
  expect((await lab.destroy('web')).code).toBe(0);
  expect(lab.guests('other')).toEqual([]);
});

test('an entry that holds another machine destroys it only where it cannot know the id of today', async () => {
  await made();
  const refused = await lab.destroy('renamed');
  expect(refused.code).toBe(3);
  expect(JSON.stringify(refused)).toContain('is machine web.');
  expect(lab.guests('web')).not.toEqual([]);
  expect((await lab.destroy('renamed', { env: { PROXMOX_MAY_BE_RENAMED: 'yes' } })).code).toBe(0);
  expect(lab.guests('web')).toEqual([]);
});

describe('is refused, and nothing is written:', () => {
  test('a protected one', async () => {
    await made({ protection: true });
    const { code, stderr } = await lab.destroy('web');
    expect({ code, writes: lab.writes() }).toEqual({ code: 3, writes: [] });
    expect(stderr).toContain('protection');
  });

  test('a copy of it, when it is gone itself', async () => {
    const guest = await made();
    guest.config['smbios1'] = 'uuid=00000000-0000-4000-8000-000000000000';
    const { code, stderr } = await lab.destroy('web');
    expect({ code, writes: lab.writes() }).toEqual({ code: 3, writes: [] });
    expect(stderr).toContain('cloned from it');
  });

  test('a damaged mark', async () => {
    const guest = await made();
    guest.config['description'] = '<!-- pvr:{"v":1, -->';
    expect(await lab.destroy('web')).toMatchObject({ code: 3 });
    expect(lab.writes()).toEqual([]);
  });

  test('one that became a template with linked clones', async () => {
    const guest = await made({ power: 'stopped' });
    const at = `/nodes/pve1/qemu/${guest.vmid}`;
    expect((await askToEnd(lab.simulator, 'POST', `${at}/template`)).exitstatus).toBe('OK');
    const form = { newid: '777' };
    expect((await askToEnd(lab.simulator, 'POST', `${at}/clone`, { form })).exitstatus).toBe('OK');
    lab.writes();
    const { code, stderr } = await lab.destroy('web');
    expect(stderr).toContain(
      'guest 10000 on pve1 is a template now, and there are linked clones of it: 777.',
    );
    expect({ code, writes: lab.writes() }).toEqual({ code: 3, writes: [] });
  });
});

test('a lock and a listing that lags are waited out', async () => {
  await made();
  const locked = { kind: 'answer', status: 500, text: 'VM is locked (backup)' } as const;
  const runs = { kind: 'answer', status: 500, text: 'VM 10000 is running - destroy failed' } as const;
  lab.simulator.faults.add({ methods: ['DELETE'], path: '/nodes/*/qemu/10000', count: 1, effect: locked });
  lab.simulator.faults.add({ methods: ['DELETE'], path: '/nodes/*/qemu/10000', count: 1, effect: runs });
  expect((await lab.destroy('web')).code).toBe(0);
  expect(lab.guests('web')).toEqual([]);
});

test('the answer to the delete is lost: it is read what became of it', async () => {
  await made();
  lab.simulator.faults.add({
    methods: ['DELETE'],
    path: '/**',
    count: 1,
    effect: { kind: 'reset', work: 'done' },
  });
  expect((await lab.destroy('web')).code).toBe(0);
  expect(lab.writes().filter(line => line.startsWith('DELETE'))).toHaveLength(1);
});

test('a machine that is not there is gone, also where a template of others cannot be read', async () => {
  const server = await alteredCluster(lab.simulator, ({ path }, told) =>
    /\/qemu\/9\d\d\d\/(?:pending|config)$/.test(path)
      ? { status: 200, reason: 'OK', text: JSON.stringify({ data: 'nobody understands this' }) }
      : told,
  );
  try {
    const { code, stderr } = await lab.destroy('web', { env: server.access });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('already gone') as string,
    });
    expect(stderr).toMatch(/template 9\d\d\d on pve\d has no tag of ours and cannot be read/);
  } finally {
    await server.close();
  }
});
