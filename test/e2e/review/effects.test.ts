import { NullProvider } from '@cdktf/provider-null/lib/provider';
import { Resource } from '@cdktf/provider-null/lib/resource';
import type { TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, type MachineProps } from '../../../constructs';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const small: MachineProps = { image: Image.fromTemplate('ubuntu-22.04'), memory: '1Gi' };
const remade = (image: Image) => ({ ...small, image, rebuildOn: ['image'] }) as MachineProps;

interface Reviewed {
  machines: { id: string; verdict: string; changes: { field: string; effect: string }[]; notes: string[] }[];
  warnings: string[];
}

interface Wanted {
  machines: Record<string, MachineProps>;
  owner?: string;
  /** A machine that reads a resource which is made in the same apply. */
  late?: boolean;
}

function stackOf({ machines, owner, late = false }: Wanted): (stack: TerraformStack) => void {
  return stack => {
    new ProxmoxCluster(stack, 'lab', owner === undefined ? {} : { owner });
    for (const [id, props] of Object.entries(machines)) new Machine(stack, id, props);
    if (late) new Machine(stack, 'late', { ...small, description: new Resource(stack, 'seed').id });
  };
}

describeEachEngine('the review of a real plan', engine => {
  let lab: Deployment;
  beforeEach(async () => {
    lab = await deployment(engine);
  });
  afterEach(() => lab.close());

  const planText = async (...args: string[]): Promise<string> => {
    await lab.run('plan', '-input=false', '-out=saved.plan', ...args);
    return (await lab.run('show', '-json', 'saved.plan')).text;
  };
  const reviewed = async (...args: string[]): Promise<Reviewed> => {
    const { stdout, stderr } = await run(['review', '--json'], {}, await planText(...args));
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Reviewed;
  };
  const verdicts = ({ machines }: Reviewed) =>
    Object.fromEntries(machines.map(({ id, verdict }) => [id, verdict]));

  test('each effect is told as it is', async () => {
    const before = { calm: small, live: small, bigger: small, gone: small, other: remade(small.image!) };
    await lab.synth(stackOf({ machines: before }));
    expect(verdicts(await reviewed())).toEqual(
      Object.fromEntries(Object.keys(before).map(id => [id, 'create'])),
    );
    expect(await lab.apply()).toMatchObject({ code: 0 });
    lab.simulator.world.guests[700] = {
      ...structuredClone(Object.values(lab.world.guests).find(({ config }) => config['name'] === 'calm')!),
      vmid: 700,
      running: null,
      config: { name: 'byhand', memory: '512', cores: '1' },
    };
    const after = {
      calm: small,
      live: { ...small, description: 'changed' },
      bigger: { ...small, memory: '2Gi' },
      other: remade(Image.fromTemplate('debian-12')),
      fresh: small,
      byhand: { vmid: 700, adopt: true, power: 'stopped' } as MachineProps,
    };
    await lab.synth(stackOf({ machines: after, late: true }));
    const review = await reviewed();
    expect(verdicts(review)).toEqual({
      calm: 'unchanged',
      live: 'change',
      bigger: 'waits',
      other: 'rebuild',
      gone: 'destroy',
      fresh: 'create',
      byhand: 'adopt',
      late: 'unknown',
    });
    const bigger = review.machines.find(({ id }) => id === 'bigger');
    expect(bigger?.changes).toEqual([expect.objectContaining({ field: 'memory', effect: 'restart' })]);
    expect(review.warnings).toEqual([]);
    const gate = await run(['review', '--fail-on', 'destroy,rebuild'], {}, await planText());
    expect(gate.code).toBe(5);
    expect(gate.stderr).toContain('destroy (1), rebuild (1)');

    await lab.synth(
      stackOf({ machines: { ...before, live: { ...small, image: Image.fromTemplate('debian-12') } } }),
    );
    const refusal = await reviewed();
    expect(verdicts(refusal)).toMatchObject({ live: 'refused' });
    expect(refusal.machines.find(({ id }) => id === 'live')?.notes.join()).toContain('rebuildOn');
    expect(refusal.warnings).toContain('The plan failed: Terraform applies nothing of it.');
  });

  test('target, replace, taint, another owner: each is warned of; a saved plan is refused', async () => {
    await lab.synth(stackOf({ machines: { web: small, db: small } }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const entry = 'null_resource.machines_lab["web"]';

    const targeted = await reviewed('-target=null_resource.machine_lab_db');
    expect(verdicts(targeted)).toEqual({ web: 'unplanned', db: 'unchanged' });
    expect(targeted.warnings.join()).toContain('-target');

    const replaced = await reviewed(`-replace=${entry}`);
    expect(verdicts(replaced)).toEqual({ web: 'rebuild', db: 'unchanged' });
    expect(replaced.warnings.join()).toContain('-replace names it');

    await lab.run('taint', entry);
    const tainted = await reviewed();
    expect(verdicts(tainted)).toEqual({ web: 'refused', db: 'unchanged' });
    expect(tainted.warnings.join()).toContain('its registry entry is tainted');
    await lab.run('untaint', entry);

    const binary = await run(['review', `${lab.folder}/saved.plan`]);
    expect(binary).toMatchObject({ code: 2, stdout: '' });
    expect(binary.stderr).toContain('binary form. Give the output of "terraform show -json PLAN".');

    await lab.synth(stack => {
      stackOf({ machines: { web: { ...small, description: 'new' }, db: small } })(stack);
      new Resource(stack, 'reader', {
        triggers: { web: '${null_resource.machine_lab_web.id}' },
        lifecycle: { createBeforeDestroy: true },
      });
    });
    const spread = await reviewed();
    expect(verdicts(spread)).toEqual({ web: 'change', db: 'unchanged' });
    expect(spread.warnings.join()).toContain('web: create_before_destroy of a resource that reads it');

    await lab.synth(stackOf({ machines: { web: small, db: small }, owner: 'other' }));
    const moved = await reviewed();
    expect(verdicts(moved)).toEqual({ web: 'refused', db: 'refused' });
    expect(moved.warnings.join()).toContain('its owner was demo/lab/default, is now other');

    const everything = await reviewed('-destroy');
    expect(verdicts(everything)).toEqual({ web: 'destroy', db: 'destroy' });
  });

  test('a folder alone is reviewed, without a plan and without Proxmox; a stack of others is not', async () => {
    await lab.synth(stackOf({ machines: { web: small }, late: true }));
    const { code, stdout } = await run(['review', '--spec', lab.folder]);
    expect(code).toBe(0);
    expect(stdout).toContain('+ web: wanted\n    image.template: ubuntu-22.04\n    memory: 1Gi\n');
    expect(stdout).toContain('description is known only when it is applied: ${null_resource.seed.id}');
    expect((await run(['review', '--spec', lab.folder, '--fail-on', 'unknown'])).code).toBe(5);

    await lab.synth(stack => {
      new NullProvider(stack, 'null');
      stack.addOverride('terraform.required_providers.null.version', '>= 1.0.0');
      new Resource(stack, 'theirs');
    });
    const foreign = await run(['review'], {}, await planText());
    expect(foreign).toMatchObject({ code: 2, stdout: '' });
    expect(foreign.stderr).toContain('without a machine of cdktf-proxmox');
  });
});
