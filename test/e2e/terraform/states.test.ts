import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from '../../support/processes/cli';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { labStack, SMALL } from '../../support/terraform/lab-stack';

const OTHER = '-state=other.tfstate';
const DESTRUCTIVE = /^DELETE |\/status\/stop$|\/status\/shutdown$/;

// The tests play after each other on one machine.
describeEachEngine('a machine that more than one state knows', engine => {
  let lab: Deployment;
  let vmid: number | undefined;
  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(labStack({ web: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    vmid = lab.guest('web')?.vmid;
    lab.writes();
  });
  afterAll(() => lab.close());

  const state = (): string => path.join(lab.folder, 'terraform.tfstate');
  const said = ({ text }: { text: string }): string => text.replace(/[\s│]+/g, ' ');
  const stays = (): void => {
    expect(lab.guests()).toEqual(['web']);
    expect(lab.guest('web')?.vmid).toBe(vmid);
    expect(lab.writes()).toEqual([]);
  };

  // a plan cannot tell: the id of an entry that is to be made is not known yet
  const REFUSED =
    /belongs to another Terraform state of the same owner\. .*Only if both are lost: (pve-reconciler release web --owner \S+), then set `adopt: true` with its vmid/;

  test('a second state of the same owner: its apply is refused, with the remedy', async () => {
    const applied = await lab.apply(OTHER);
    expect([applied.code, said(applied)]).toEqual([1, expect.stringMatching(REFUSED)]);
    stays();
  });

  test('a destroy of that second state takes nothing of the first', async () => {
    expect(said(await lab.destroy(OTHER))).toContain(
      'belongs to another Terraform state of the same owner. It is left alone.',
    );
    stays();
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a state whose entry has the same id, as the null provider draws it within one second: a destroy takes nothing', async () => {
    const twin = readFileSync(state(), 'utf8').replace(/"entry": "[^"]+"/, '"entry": "of-the-twin"');
    writeFileSync(path.join(lab.folder, 'twin.tfstate'), twin);
    expect(said(await lab.destroy('-state=twin.tfstate'))).toContain('It is left alone.');
    stays();
  });

  test('a copied state: at rest as the first one is', async () => {
    cpSync(state(), path.join(lab.folder, 'other.tfstate'));
    expect(await lab.plan(OTHER)).toMatchObject({ code: 0 });
    expect(await lab.apply(OTHER)).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
    stays();
  });

  test('a lost state: refused, with the remedy, also with adopt; released and adopted, the old state cannot destroy it', async () => {
    rmSync(state());
    const lost = await lab.apply();
    expect([lost.code, said(lost)]).toEqual([1, expect.stringMatching(REFUSED)]);
    stays();
    await lab.synth(labStack({ web: { ...SMALL, vmid: vmid!, adopt: true } }));
    const adopting = said(await lab.apply());
    const [, advised = ''] = REFUSED.exec(adopting) ?? [];
    stays();
    expect(await run([...advised.split(' ').slice(1), '--yes'], lab.access)).toMatchObject({ code: 0 });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.writes().filter(line => DESTRUCTIVE.test(line))).toEqual([]);
    expect(lab.guest('web')?.vmid).toBe(vmid);
    expect(await lab.plan()).toMatchObject({ code: 0 });
    await lab.synth(labStack({}));
    lab.writes();
    expect(said(await lab.apply(OTHER))).toContain('It is left alone.');
    stays();
  });
});
