import { cpSync } from 'node:fs';
import path from 'node:path';
import { ProxmoxCluster, Machine, type MachineProps } from '../../../constructs';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { entry, labStack, revision, SMALL } from '../../support/terraform/lab-stack';

const named = (name: string, more: MachineProps = {}): MachineProps =>
  ({ ...SMALL, ...more, name }) as MachineProps;

// The rows play after each other on one stack.
describeEachEngine('a machine that is called otherwise', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
  });
  afterAll(() => lab.close());

  const config = (name: string) => {
    const { description = '', tags = '', ...rest } = lab.guest(name)?.config ?? {};
    return { description, tags, rest };
  };

  test('a new id with formerIds: nothing is destroyed, the guest keeps all but its mark', async () => {
    await lab.synth(labStack({ one: named('first'), two: named('second') }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const before = config('first');
    await lab.synth(
      labStack({
        uno: named('first', { formerIds: ['one'] }),
        zwei: named('second', { formerIds: ['deux', 'two'] }),
      }),
    );
    const planned = await lab.planned();
    expect(planned.actions).toEqual({
      [revision('uno')]: 'delete+create',
      [revision('zwei')]: 'delete+create',
    });
    lab.writes();
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.writes().filter(line => !line.endsWith('/config'))).toEqual([]);
    const after = config('first');
    expect(after.rest).toEqual(before.rest);
    expect(after.description).toContain('"m":"uno"');
    expect(after.tags).not.toBe(before.tags);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('later formerIds go, and a destroy gets the new id', async () => {
    await lab.synth(labStack({ uno: named('first') }));
    const removed = await lab.apply();
    expect(removed).toMatchObject({ code: 0 });
    expect(removed.text).toContain('zwei: destroyed');
    expect(lab.guests()).toEqual(['first']);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a new id without formerIds: destroyed and made again, as the plan says', async () => {
    const { rest } = config('first');
    await lab.synth(labStack({ other: named('first') }));
    expect((await lab.planned()).actions).toEqual({
      [entry('uno')]: 'delete',
      [revision('uno')]: 'delete',
      [entry('other')]: 'create',
      [revision('other')]: 'create',
    });
    expect(await lab.apply('plan.bin')).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['first']);
    expect(config('first').rest['smbios1']).not.toBe(rest['smbios1']);
  });
});

describeEachEngine('an owner that changes', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(labStack({ web: SMALL, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    lab.writes();
  });
  afterAll(() => lab.close());

  const owned = (owner: string, ...ids: string[]) =>
    lab.synth(stack => {
      new ProxmoxCluster(stack, 'lab', { owner });
      ids.forEach(id => new Machine(stack, id, SMALL));
    });

  test('another stack name: the plan fails for each machine and says what to do; nothing is lost', async () => {
    // what the stack's own name gives is demo/lab/default
    await owned('renamed/lab/default', 'web', 'db');
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    for (const id of ['web', 'db']) {
      expect(text.replace(/[\s│]+/g, ' ')).toContain(
        `machine ${id}: its owner was demo/lab/default, is now renamed/lab/default. Nothing was changed. Give the ProxmoxCluster owner: "demo/lab/default"`,
      );
    }
    expect(await lab.apply()).toMatchObject({ code: 1 });
    expect(lab.writes()).toEqual([]);
  });

  test('another workspace, with the state taken along: the same', async () => {
    await lab.synth(labStack({ web: SMALL, db: SMALL }));
    cpSync(path.join(lab.folder, 'terraform.tfstate'), path.join(lab.folder, 'before.tfstate'));
    expect(await lab.run('workspace', 'new', 'blue')).toMatchObject({ code: 0 });
    expect(await lab.run('state', 'push', 'before.tfstate')).toMatchObject({ code: 0 });
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    expect(text).toContain('is now demo/lab/blue');
    expect(lab.writes()).toEqual([]);
    expect(await lab.run('workspace', 'select', 'default')).toMatchObject({ code: 0 });
  });

  test('another cluster name: the plan fails too, as its machines are there and are of another owner', async () => {
    await lab.synth(stack => {
      new ProxmoxCluster(stack, 'renamed');
      ['web', 'db'].forEach(id => new Machine(stack, id, SMALL));
    });
    const { code, text } = await lab.plan();
    expect(code).toBe(1);
    for (const id of ['web', 'db']) expect(text).toContain(`machine ${id}: the name ${id} is taken: guest `);
    expect(text.replace(/\s+/g, ' ')).toContain('of owner demo/lab/default');
    expect(lab.writes()).toEqual([]);
  });

  test('the owner as it was, written out: at rest', async () => {
    await owned('demo/lab/default', 'web', 'db');
    expect((await lab.planned()).actions).toEqual({});
  });

  test('a machine that leaves is destroyed by the owner that was recorded', async () => {
    await owned('renamed/lab/default');
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual([]);
  });
});
