import type { CliLab } from '../../support/processes/cli';
import { lineLabsAfter } from '../../support/runs/line-lab';

const web = {
  id: 'web',
  image: { blank: true },
  memory: '1Gi',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};
const VMID = 10_000;

let open: Awaited<ReturnType<typeof lineLabsAfter>>;
let lab: CliLab;
beforeAll(async () => {
  open = await lineLabsAfter(first => first.apply(web, { entry: '' }));
});
beforeEach(async () => {
  // without a system it hears no shutdown: a minute is a second here
  lab = await open({ timeScale: 60 });
  // somebody edits it by hand
  lab.world.guests[VMID]!.config['memory'] = '512';
});
afterEach(() => lab.close());

const observed = { ...web, mode: 'observe' };
const paused = { ...web, mode: 'paused' };
const readsOfGuests = () =>
  lab.simulator.ledger.entries().filter(({ path }) => /\/qemu\/\d+/.test(path)).length;

describe('a machine that is only observed', () => {
  it('is not written to by reconcile, which tells what differs', async () => {
    const ran = await lab.people('reconcile', [observed]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('memory: 512Mi -> 1Gi');
    expect(ran.stderr).toContain('0 machines are as wanted, 1 only observed.');
    expect(lab.writes()).toEqual([]);
  });

  it('is shown by plan, and is no change for --check', async () => {
    const ran = await lab.people('plan', [observed], ['--check']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(
      'web: only observed (mode: observe), nothing is written\n  memory: 512Mi -> 1Gi',
    );
    expect(ran.stdout).toContain('0 to change, 0 in sync, 0 refused, 1 only observed.');
  });

  it('is not created, and takes no id from the others', async () => {
    const db = { ...observed, id: 'db' };
    const zoo = { ...web, id: 'zoo' };
    expect((await lab.people('reconcile', [db, zoo])).code).toBe(0);
    expect(lab.guests('db')).toEqual([]);
    expect(lab.guests('zoo')).toMatchObject([{ vmid: VMID + 1 }]);
  });

  it('gives Terraform the same token each time and no refusal, whatever became of it', async () => {
    const first = await lab.observe({ web: observed });
    expect(first.told).toMatchObject({
      'web.status': 'observed',
      'web.refusal': '',
      'web.drift': 'memory: 512Mi -> 1Gi (restart)',
    });
    lab.world.guests[VMID]!.config['description'] = 'no mark any more';
    const later = await lab.observe({ web: observed });
    expect(later.told['web.token']).toBe(first.told['web.token']);
    expect(later.told['web.refusal']).toBe('');
    expect(later.told['web.drift']).not.toBe('');
  });

  it('is not written to by apply', async () => {
    const ran = await lab.apply(observed);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('WARNING: differs from its spec, and is only observed');
    expect(lab.writes()).toEqual([]);
  });

  it('tells its mode in status', async () => {
    const ran = await lab.people('status', [observed], ['-o', 'json']);
    const told = JSON.parse(ran.stdout) as { machines: Record<string, { mode?: string; vmid?: number }> };
    expect(told.machines['web']).toMatchObject({ mode: 'observe', vmid: VMID, phase: 'Running' });
  });

  it('is brought to its spec once the mode is gone', async () => {
    expect((await lab.people('reconcile', [observed])).code).toBe(0);
    expect((await lab.people('reconcile', [{ ...web, restart: 'whenNeeded' }])).code).toBe(0);
    expect(lab.world.guests[VMID]!.config['memory']).toBe('1024');
  });
});

describe('a machine that is paused', () => {
  it.each(['plan', 'reconcile', 'status'])('is not even read by %s', async verb => {
    const ran = await lab.people(verb, [paused]);
    expect(ran.code).toBe(0);
    expect(ran.stdout + ran.stderr).toMatch(/paused/);
    expect(readsOfGuests()).toBe(0);
    expect(lab.writes()).toEqual([]);
  });

  it('is not even read for Terraform', async () => {
    const { told } = await lab.observe({ web: paused });
    expect(told).toMatchObject({ 'web.status': 'paused', 'web.refusal': '', 'web.effect': 'none' });
    expect(readsOfGuests()).toBe(0);
    expect(await lab.apply(paused)).toMatchObject({ code: 0 });
    expect(lab.simulator.ledger.entries().length).toBeLessThan(20);
    expect(lab.writes()).toEqual([]);
  });
});
