import { TerraformOutput } from 'cdktf';
import { ProxmoxCluster, Machine, type MachineProps } from '../../../constructs';
import { LINE_OF_OURS } from '../../support/runs/edited-marks';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { revision, SMALL } from '../../support/terraform/lab-stack';

const SMALLER: MachineProps = { ...SMALL, power: 'stopped' };
const IDS = ['notes', 'emptied', 'letter', 'pasted', 'moved', 'tag', 'name', 'uuid', 'memory', 'whole'];

/** Ten machines; somebody reads a fact of one that only its guest tells. */
const stackOf =
  (props: MachineProps = {}, own: Record<string, MachineProps> = {}) =>
  (stack: ConstructorParameters<typeof ProxmoxCluster>[0]): void => {
    new ProxmoxCluster(stack as never, 'lab');
    for (const id of IDS) {
      const machine = new Machine(stack as never, id, { ...SMALLER, ...props, ...own[id] } as MachineProps);
      new TerraformOutput(stack, `vmid-${id}`, { value: machine.vmid, staticId: true });
    }
  };

// The rows play after each other on one stack.
describeEachEngine('a stack of ten machines that people edit', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(stackOf());
    expect(await lab.apply()).toMatchObject({ code: 0 });
  });
  afterAll(() => lab.close());

  const said = (text: string): string => text.replace(/[\s│╷╵]+/g, ' ');
  const text = (id: string): string => lab.guest(id)!.config['description']!;
  /** What somebody writes in Proxmox's own page. */
  const write = (id: string, form: Record<string, string>): Promise<void> => {
    const { node, vmid } = lab.guest(id)!;
    return lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/config`, form);
  };
  const vmids: Record<string, number> = {};

  test('one is edited: the plan says so, nine are unaffected, and the apply writes its mark again', async () => {
    for (const id of IDS) vmids[id] = lab.guest(id)!.vmid;
    await write('notes', { description: 'Ask Bert.' });
    const { actions } = await lab.planned();
    expect(actions).toEqual({ [revision('notes')]: 'delete+create' });
    lab.writes();
    const applied = await lab.apply('plan.bin');
    expect(applied).toMatchObject({ code: 0 });
    expect(applied.text).toContain('the mark was edited away; it is written again');
    expect(text('notes')).toMatch(/^Ask Bert\.\n<!-- pvr:/);
    expect(lab.writes()).toHaveLength(1);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('all but one are edited: each is told and mended, one alone is refused, and its neighbours are applied', async () => {
    await write('notes', { description: 'Ask Carla.' });
    await write('emptied', { delete: 'description' });
    await write('letter', { description: text('letter').replace('"v":1', '"v":!') });
    await write('pasted', { description: text('moved') });
    await write('moved', { description: `Ours:\r\n${text('moved')}\r\nIt moves in May – “soon”.` });
    await write('tag', { delete: 'tags' });
    await write('uuid', { smbios1: 'uuid=11111111-1111-4111-8111-111111111111' });
    await write('memory', { memory: '2048' });
    const { node, vmid } = lab.guest('name')!;
    await lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/config`, { name: 'renamed' });

    const planned = await lab.plan('-out=plan.bin');
    // two: there are changes, and nothing fails the plan
    expect(planned).toMatchObject({ code: 2 });
    expect(planned.text).toMatch(/Warning: Check block assertion failed/);
    expect(said(planned.text)).toMatch(
      /The apply of these machines will fail, and the others are applied\. machine uuid: .*its uuid was changed by hand/,
    );
    const { actions } = await lab.planned();
    expect(Object.keys(actions).sort()).toEqual(
      IDS.filter(id => !['moved', 'whole'].includes(id))
        .map(revision)
        .sort(),
    );

    const applied = await lab.apply('plan.bin');
    expect(applied).toMatchObject({ code: 1 });
    expect(said(applied.text)).toMatch(
      /uuid: REFUSED: .*its uuid was changed by hand.*qm set \d+ --smbios1 uuid=/,
    );
    expect(applied.text.match(/REFUSED/g)?.length).toBe(applied.text.match(/uuid: REFUSED/g)?.length);
    expect(text('notes')).toMatch(/^Ask Carla\.\n<!-- pvr:/);
    for (const id of ['emptied', 'letter', 'pasted']) expect(text(id)).toContain(`"m":"${id}"`);
    expect(text('moved')).toMatch(/^Ours:\r\n<!-- pvr:.*\r\nIt moves in May – “soon”\.$/);
    expect(lab.guest('tag')?.config['tags']).toMatch(/pvr-/);
    expect(lab.guest('memory')?.config['memory']).toBe('1024');
    expect(Object.fromEntries(IDS.map(id => [id, lab.guest(id)?.vmid]))).toEqual(vmids);

    // the command that the refusal names, and the stack is whole again
    const [, uuid = ''] = /--smbios1 uuid=([\da-f-]{36})/.exec(said(applied.text)) ?? [];
    await write('uuid', { smbios1: `uuid=${uuid}` });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('a change of all of them reaches nine where one is refused, and the tenth once that is mended', async () => {
    await write('uuid', { smbios1: 'uuid=11111111-1111-4111-8111-111111111111' });
    await lab.synth(stackOf({ tags: ['may'] } as MachineProps));
    expect(await lab.apply()).toMatchObject({ code: 1 });
    for (const id of IDS) expect(lab.guest(id)?.config['tags']?.includes('may')).toBe(id !== 'uuid');
    const line = LINE_OF_OURS.exec(text('uuid'))?.[0] ?? '';
    const [, uuid = ''] = /"u":"([^"]+)"/.exec(line) ?? [];
    await write('uuid', { smbios1: `uuid=${uuid}` });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guest('uuid')?.config['tags']).toContain('may');
  });

  test('a disk that somebody has grown holds up its machine alone: nine are planned and changed', async () => {
    const sized = (size: string): Record<string, MachineProps> => ({
      whole: { disks: [{ name: 'root', size }] },
    });
    await lab.synth(stackOf({ tags: ['may'] } as MachineProps, sized('10G')));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    const { node, vmid } = lab.guest('whole')!;
    await lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/resize`, { disk: 'scsi0', size: '12G' });

    await lab.synth(stackOf({ tags: ['june'] } as MachineProps, sized('10G')));
    const planned = await lab.plan('-out=plan.bin');
    expect(planned).toMatchObject({ code: 2 });
    expect(said(planned.text)).toMatch(
      /the others are applied\. machine whole: Disk "root" has 12Gi and cannot/,
    );
    lab.writes();
    const applied = await lab.apply('plan.bin');
    expect(applied).toMatchObject({ code: 1 });
    expect(said(applied.text)).toMatch(/whole: REFUSED: Disk "root" has 12Gi and cannot shrink to 10Gi/);
    expect(lab.writes().filter(line => line.includes(`/${vmid}/`))).toEqual([]);
    for (const id of IDS) expect(lab.guest(id)?.config['tags']?.includes('june')).toBe(id !== 'whole');

    await lab.synth(stackOf({ tags: ['june'] } as MachineProps, sized('12G')));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });

  test('terraform destroy takes nine, and the one without its mark once an apply has written it', async () => {
    await write('notes', { description: 'Ask Bert.' });
    const destroyed = await lab.destroy();
    expect(destroyed).toMatchObject({ code: 1 });
    expect(said(destroyed.text)).toMatch(/notes: REFUSED: the mark of .* was edited away/);
    expect(IDS.filter(id => lab.guest(id) !== undefined)).toEqual(['notes']);
    expect(await lab.apply(`-target=${revision('notes')}`)).toMatchObject({ code: 0 });
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect(lab.guest('notes')).toBeUndefined();
  });
});
