import { narrowTokenLab } from '../../support/cluster/narrow-token-lab';
import { TOKEN, type ClusterOptions } from '../../support/cluster/start-cluster';
import type { CliLab } from '../../support/processes/cli';
import { cliLabsAfter } from '../../support/processes/cli';
import { halfDestroy } from '../../support/runs/half-destroyed';
import { lineLab, lineLabsAfter } from '../../support/runs/line-lab';

const OURS = { node: 'pve1', vmid: 10_000 };
const web = {
  id: 'web',
  node: OURS.node,
  image: { blank: true },
  power: 'stopped',
  disks: [{ name: 'root', size: '8G', storage: 'local-lvm' }],
};
const grown = { ...web, disks: [{ ...web.disks[0], size: '10G' }] };
const started = { ...web, power: 'running' };

const REFUSAL =
  'disk "root" (scsi0) of guest 10000 on pve1 is local-lvm:vm-10000-disk-0, and storage \'local-lvm\' has no such volume.';
const NOT_CHANGED = 'Nothing was changed.';

type Open = (options?: ClusterOptions) => Promise<CliLab>;
let byReconcile: Open;
let byTerraform: Open;
let lab: CliLab;
beforeAll(async () => {
  byReconcile = await lineLabsAfter(first => first.people('reconcile', [web]));
  byTerraform = await cliLabsAfter(first => first.apply(web), lineLab);
});
afterEach(() => lab.close());

/** A lab with a machine whose destroy lost the quorum half-way. */
async function half(open: Open = byReconcile): Promise<void> {
  lab = await open();
  expect(await halfDestroy(lab, OURS)).toContain('Permission denied');
  expect(lab.world.volumes.filter(({ vmid }) => vmid === OURS.vmid)).toEqual([]);
  lab.writes();
}

describe('a machine whose destroy lost the quorum half-way', () => {
  it.each([
    ['plan', started],
    ['plan', grown],
    ['plan', web],
    ['reconcile', started],
    ['reconcile', grown],
    ['reconcile', web],
  ])('%s refuses it and writes nothing: %#', async (verb, want) => {
    await half();
    const { code, stdout, stderr } = await lab.people(verb, [want]);
    expect(code).toBe(3);
    expect(stdout + stderr).toContain(REFUSAL);
    expect(stdout + stderr).toContain(NOT_CHANGED);
    expect(lab.writes()).toEqual([]);
  });

  it('status names it', async () => {
    await half();
    const { stderr } = await lab.people('status', [web]);
    expect(stderr).toContain(REFUSAL);
  });

  it("Terraform's plan and its apply refuse it", async () => {
    await half(byTerraform);
    const { told } = await lab.observe({ web: started }, { web: 'e1' });
    expect(JSON.stringify(told)).toContain('has no such volume');
    const { code, stderr } = await lab.apply(started);
    expect([code, stderr.includes(REFUSAL)]).toEqual([3, true]);
    expect(lab.writes()).toEqual([]);
  });

  it('a destroy by name, then a run, makes it anew', async () => {
    await half();
    const { stdout } = await lab.people('plan', [grown]);
    expect(stdout).toContain('pve-reconciler destroy web');
    expect((await lab.people('destroy', [grown], ['web', '--yes'])).code).toBe(0);
    expect(lab.guests('web')).toEqual([]);
    expect((await lab.people('reconcile', [grown])).code).toBe(0);
    expect((await lab.people('plan', [grown], ['--check'])).code).toBe(0);
    expect(lab.world.volumes.find(({ vmid }) => vmid === OURS.vmid)).toMatchObject({ size: 10 * 2 ** 30 });
  });

  it("Terraform's destroy, then its apply, makes it anew", async () => {
    await half(byTerraform);
    expect((await lab.destroy('web')).code).toBe(0);
    expect((await lab.apply(grown)).code).toBe(0);
    expect((await lab.people('plan', [grown], ['--check'])).code).toBe(0);
  });
});

describe('a volume that goes while a run is at work', () => {
  type Asked = (asked: { method: string; path: string }) => boolean;
  const isResize: Asked = ({ method, path }) => method === 'PUT' && path.endsWith('/resize');
  const isStart: Asked = ({ method, path }) => method === 'POST' && path.endsWith('/status/start');
  const isLook: Asked = ({ path }) => path.endsWith('/storage/local-lvm/content');

  /** Takes the volume away directly before one request, and brings it back before a later one. */
  async function away(isGoing: Asked, isBack: Asked = () => false): Promise<void> {
    let gone: CliLab['world']['volumes'] | undefined;
    lab = await byReconcile({
      before: asked => {
        const { world } = lab;
        if (gone === undefined && isGoing(asked)) {
          gone = world.volumes.filter(({ vmid }) => vmid === OURS.vmid);
          world.volumes = world.volumes.filter(({ vmid }) => vmid !== OURS.vmid);
        } else if (gone && isBack(asked)) world.volumes.push(...gone.splice(0));
        return Promise.resolve();
      },
    });
  }

  it.each([
    ['its growth', grown, isResize],
    ['its start', started, isStart],
  ])('at %s: the run is refused, and not told to run again', async (_, want, isGoing) => {
    await away(isGoing);
    const { code, stderr } = await lab.people('reconcile', [want]);
    expect([code, stderr.includes(REFUSAL)]).toEqual([3, true]);
    expect(stderr).not.toContain('Running again is safe');
  });

  it('after the plan of Terraform whose token says that it may grow: refused too', async () => {
    lab = await byTerraform();
    const { told } = await lab.observe({ web: grown }, { web: 'e1' });
    lab.world.volumes = lab.world.volumes.filter(({ vmid }) => vmid !== OURS.vmid);
    const { code, stderr } = await lab.apply(grown, { token: told['web.token'] ?? '' });
    expect([code, stderr.includes(REFUSAL)]).toEqual([3, true]);
  });

  it('and is back when it is looked for: the run goes on', async () => {
    await away(isResize, isLook);
    expect(await lab.people('reconcile', [grown])).toMatchObject({ code: 0 });
    expect(lab.world.volumes.find(({ vmid }) => vmid === OURS.vmid)).toMatchObject({ size: 10 * 2 ** 30 });
  });
});

it('whoever may not see the volumes is refused once Proxmox has said that it is gone', async () => {
  const narrow = await narrowTokenLab();
  expect(await narrow.bring(web, { as: TOKEN })).toBeUndefined();
  await halfDestroy(narrow, OURS);
  narrow.allow({ path: '/', privileges: ['VM.Audit', 'VM.PowerMgmt', 'VM.Config.Options', 'Sys.Audit'] });
  expect(await narrow.bring(started)).toContain('has no such volume');
  await narrow.close();
});

it('a healthy machine that is changed without its disks costs no look at its storage', async () => {
  lab = await byReconcile();
  lab.simulator.ledger.reset();
  expect((await lab.people('reconcile', [{ ...web, memory: '2Gi', tags: ['a'] }])).code).toBe(0);
  const asked = lab.simulator.ledger.entries().map(({ path }) => path);
  expect(asked.filter(path => path.includes('/content'))).toEqual([]);
});
