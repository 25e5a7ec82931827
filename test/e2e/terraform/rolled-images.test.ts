import { Image, type MachineProps } from '../../../constructs';
import { reviewPlan } from '../../../reconciler/review/review-plan';
import { brokenInvariants } from '../../../simulator/invariants/broken';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, labStack, revision } from '../../support/terraform/lab-stack';

const of = (template: string, more: MachineProps = {}): MachineProps => ({
  ...{ image: Image.fromTemplate(template), memory: '1Gi', power: 'stopped', ...more },
});
const STAYS = 'It stays on template ubuntu-22.04, which it was made from; image is template debian-12 now';

describeEachEngine('a golden image rolls', engine => {
  let lab: Deployment;
  /** Two machines of the former image; the code of one names the new image then, and says this of it. */
  const rolled = async (onImageChange: 'keep' | 'rebuild'): Promise<void> => {
    await lab.synth(labStack({ web: of('ubuntu-22.04'), db: of('ubuntu-22.04') }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    lab.writes();
    await lab.synth(labStack({ web: of('debian-12', { onImageChange }), db: of('ubuntu-22.04') }));
  };
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(async () => {
    expect(brokenInvariants(lab.simulator.sim)).toEqual([]);
    await lab.close();
  });

  const uuid = (id: string): string => /uuid=([^,]+)/.exec(lab.guest(id)?.config['smbios1'] ?? '')?.[1] ?? '';
  const said = (text: string): string => text.replace(/[\s│╷╵]+/g, ' ');
  const planned = async (...args: string[]) => {
    await lab.run('plan', '-input=false', '-out=plan.bin', ...args);
    const { machines, warnings } = reviewPlan((await lab.run('show', '-json', 'plan.bin')).text, 'the plan');
    const web = machines.find(({ id }) => id === 'web');
    return {
      verdicts: Object.fromEntries(machines.map(({ id, verdict }) => [id, verdict])),
      notes: web?.notes.join(' '),
      warnings: warnings.join(' '),
    };
  };
  const templatePath = (): string => `/nodes/pve1/qemu/${lab.guest('debian-12')?.vmid}`;

  test('-replace of the revision of a kept one destroys nothing: it stays on its image, and that is said', async () => {
    await rolled('keep');
    const was = uuid('web');
    expect(await planned(`-replace=${revision('web')}`)).toEqual({
      verdicts: { web: 'unchanged', db: 'unchanged' },
      notes: expect.stringContaining(STAYS),
      warnings: 'web: -replace names its revision: it is applied again, and not made anew.',
    });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect([uuid('web'), lab.writes()]).toEqual([was, []]);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('-replace of the entry of a kept one makes it anew from the new image, and nothing says that it stays', async () => {
    await rolled('keep');
    const [web, db] = [uuid('web'), uuid('db')];
    const { verdicts, notes, warnings } = await planned(`-replace=${entry('web')}`);
    expect(verdicts).toEqual({ web: 'rebuild', db: 'unchanged' });
    expect(notes).not.toContain('stays on');
    expect(notes).toContain('It is made anew from the image that its spec names now');
    expect(warnings).toContain('the machine is destroyed, with its disks, and made again. No plan looks at');
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect([uuid('web') === web, uuid('db')]).toEqual([false, db]);
    expect(lab.writes().filter(line => /^DELETE|clone$/.test(line))).toEqual([
      expect.stringMatching(/^DELETE .*\/qemu\/\d+$/),
      expect.stringMatching(/^POST .*\/qemu\/9001\/clone$/),
    ]);
    expect((await planned()).notes).not.toContain('stays on');
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test.each<[string, () => Promise<void> | undefined, RegExp]>([
    ['is deleted', () => lab.byHand('DELETE', templatePath()), /'debian-12' not found\. The cluster has/],
    [
      'is renamed',
      () => lab.byHand('PUT', `${templatePath()}/config`, { name: 'debian-13' }),
      /'debian-12' not found\. The cluster has: .*debian-13/,
    ],
    [
      'is no template any more',
      () => void delete lab.guest('debian-12')!.config['template'],
      /VM 9001 on pve1, which is called so, is no template/,
    ],
  ])('the new template %s between plan and apply: refused, and the machine stands', async (_, act, why) => {
    await rolled('rebuild');
    const was = uuid('web');
    expect((await planned()).verdicts).toEqual({ web: 'rebuild', db: 'unchanged' });
    await act();
    lab.writes();
    const applied = await lab.apply('plan.bin');
    expect(applied).toMatchObject({ code: 1 });
    expect(said(applied.text)).toMatch(why);
    expect(uuid('web')).toBe(was);
    expect(lab.writes()).toEqual([]);
  });
});
