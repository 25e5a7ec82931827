import type { Review } from '../../../reconciler/review/review';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { describeEachEngine } from '../../support/terraform/engines';
import { plainHcl, type PlainHcl } from '../../support/terraform/plain-hcl';

const machine = {
  ...{ image: { blank: true }, memory: '512Mi', node: 'pve1', power: 'stopped' },
  disks: [{ name: 'root', size: '1G', storage: 'local-lvm' }],
};
const VARIABLE = 'variable "machines" { type = any }\n';
const call = (name: string, machines: string, more = ''): string => `
module "${name}" {
  source   = "./proxmox"
  owner    = "lab"
  cluster  = { name = "lab" }
  machines = ${machines}
${more}}
`;
const MOVED = 'moved {\n  from = module.lab\n  to   = module.prod\n}\n';
const EACH = '  for_each = toset(["a"])\n';

const noteOf = ({ machines }: Review, module: string): string | undefined =>
  machines.find(one => one.id === 'web' && one.module === module)?.notes.join(' ');

describeEachEngine('what leaves a call of the module', engine => {
  let lab: PlainHcl;
  beforeEach(async () => {
    lab = await plainHcl(engine);
  });
  afterEach(() => lab.close());

  const write = async (hcl: string): Promise<void> => {
    lab.write(VARIABLE + hcl);
    const { code, text } = await lab.run('init', '-input=false');
    if (code !== 0) throw new Error(text.slice(-6000));
  };
  const apply = async (): Promise<void> => {
    const { code, text } = await lab.apply();
    if (code !== 0) throw new Error(text.slice(-6000));
  };
  const reviewed = async (...options: string[]) => {
    const { code, text } = await lab.run('plan', '-input=false', '-out=plan.bin', ...options);
    if (code !== 0) throw new Error(text.slice(-6000));
    return reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
  };

  test.each([
    ['all read together', ''],
    ['each read alone', '  own_observer = keys(var.machines)\n'],
  ])('the map is emptied: the review names each disk and snapshot that goes (%s)', async (_, more) => {
    await write(call('lab', 'var.machines', more));
    lab.ask({ web: machine, db: machine });
    await apply();
    await lab.byHand('POST', `/nodes/pve1/qemu/${lab.guest('db')?.vmid}/snapshot`, { snapname: 'by-hand' });

    lab.ask({});
    const { machines, lost } = await reviewed();
    expect(machines).toEqual(
      ['db', 'web'].map(id =>
        expect.objectContaining({ id, verdict: 'destroy', disks: { root: 2 ** 30 }, notes: [] }),
      ),
    );
    expect(lost).toMatchObject({ unknown: 0, bytes: 2 * 2 ** 30, snapshots: 1 });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('the call is renamed: the review names the block moved, and what destroys; both are as it says', async () => {
    await write(call('lab', 'var.machines'));
    lab.ask({ web: machine, db: machine });
    await apply();
    const vmid = lab.guest('web')?.vmid;
    lab.writes();

    await write(call('prod', 'var.machines'));
    const renamed = await reviewed();
    expect(renamed.totals).toEqual({ refused: 2, forget: 2 });
    const block = 'a block moved (from = module.lab, to = module.prod)';
    expect(renamed.warnings[1]).toMatch(
      /^module\.lab\/web: .* To destroy it with its disks, put the call back/,
    );
    expect(renamed.warnings[1]).toContain(`write ${block}`);
    expect(noteOf(renamed, 'module.prod')).toContain(`write ${block}; else`);

    await write(call('prod', 'var.machines') + call('lab', '{}'));
    const emptied = await reviewed();
    expect(emptied.totals).toEqual({ destroy: 2, create: 2 });
    expect(emptied.lost).toMatchObject({ unknown: 0, volumes: 2 });
    expect(emptied.warnings[1]).toMatch(
      /^module\.lab\/web: it is destroyed with its disks, and module\.prod makes/,
    );
    expect(emptied.warnings[1]).toContain(`take module.lab out of the code and write ${block}`);
    expect(noteOf(emptied, 'module.prod')).toMatch(/This plan destroys its guest.*this one is new and empty/);
    expect(noteOf(emptied, 'module.prod')).not.toContain('formerIds');

    await write(call('prod', 'var.machines') + MOVED);
    expect((await reviewed()).totals).toEqual({ unchanged: 2 });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guest('web')?.vmid).toBe(vmid);
    expect(lab.writes()).toEqual([]);
    lab.write(VARIABLE + call('prod', 'var.machines'));
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('an instance leaves: the review says that nobody looked, and the remedy that it names shows the disks', async () => {
    await write(call('lab', 'var.machines', EACH));
    lab.ask({ web: machine });
    await apply();

    await write(call('lab', 'var.machines', EACH.replace('"a"', '')));
    const blind = await reviewed();
    expect(blind.lost).toMatchObject({ unknown: 1 });
    expect(blind.machines.flatMap(({ notes }) => notes).join()).toContain(
      'plan with the instance in the code and its machines empty',
    );

    await write(call('lab', '{}', EACH));
    expect((await reviewed()).lost).toMatchObject({ unknown: 0, bytes: 2 ** 30, volumes: 1 });
    expect(lab.guests()).toEqual(['web']);
  });
});
