import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';
import { labStack, SMALL } from '../../support/terraform/lab-stack';
import { plainHcl } from '../../support/terraform/plain-hcl';

const WARNING = 'machine web differs from its spec, and is only observed';
const flat = (text: string): string => text.replace(/[\s│╷╵]+/g, ' ');

describeEachEngine('a machine that is only observed, among others', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine);
    await lab.synth(labStack({ web: SMALL, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    await lab.synth(labStack({ web: { ...SMALL, mode: 'observe' }, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    lab.writes();
  });
  afterAll(() => lab.close());

  test('is no change and no warning while it is as its spec says', async () => {
    const { code, text } = await lab.plan();
    expect({ code, text: flat(text).includes(WARNING) }).toEqual({ code: 0, text: false });
  });

  test('is a warning and no change when somebody edits it, and the others are still applied', async () => {
    lab.guest('web')!.config['onboot'] = '1';
    lab.guest('web')!.config['memory'] = '2048';
    lab.guest('db')!.config['memory'] = '2048';
    lab.writes();
    const planned = await lab.planned();
    expect(Object.keys(planned.actions)).toEqual(['null_resource.machine_lab_db']);
    const applied = await lab.apply('plan.bin');
    expect(applied.code).toBe(0);
    const { node, vmid } = lab.guest('db')!;
    expect(lab.writes().every(line => line.includes(`/nodes/${node}/qemu/${vmid}/`))).toBe(true);
    const after = await lab.plan();
    expect(after.code).toBe(0);
    expect(flat(after.text)).toContain(WARNING);
  });

  test('is a warning and no failure when its guest is gone, and is not made anew', async () => {
    const { node, vmid } = lab.guest('web')!;
    await lab.byHand('POST', `/nodes/${node}/qemu/${vmid}/status/stop`);
    await lab.byHand('DELETE', `/nodes/${node}/qemu/${vmid}`);
    lab.writes();
    // its vmid is an output, and goes; no resource changes
    expect((await lab.planned()).actions).toEqual({});
    const applied = await lab.apply();
    expect(applied.code).toBe(0);
    expect(flat(applied.text)).toContain('it is not there, and is not created');
    expect(lab.writes()).toEqual([]);
  });

  test('is made again when it is no longer only observed', async () => {
    await lab.synth(labStack({ web: SMALL, db: SMALL }));
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.guests()).toEqual(['db', 'web']);
    expect(await lab.plan()).toMatchObject({ code: 0 });
  });
});

describeEachEngine('an observed machine of the module', engine => {
  test('is a warning and no change', async () => {
    const lab = await plainHcl(engine);
    const machine = (mode: string): string =>
      `{ web = { image = { template = "ubuntu-22.04" }, memory = "1Gi", mode = "${mode}" } }`;
    const write = (mode: string): void =>
      lab.write(`module "m" {
  source   = "./proxmox"
  owner    = "m"
  cluster  = { name = "lab" }
  machines = ${machine(mode)}
}
`);
    write('reconcile');
    expect(await lab.run('init', '-input=false')).toMatchObject({ code: 0 });
    expect(await lab.apply()).toMatchObject({ code: 0 });
    write('observe');
    expect(await lab.apply()).toMatchObject({ code: 0 });
    lab.guest('web')!.config['memory'] = '2048';
    const { code, text } = await lab.plan();
    expect(code).toBe(0);
    expect(flat(text)).toContain(
      'machines that are only observed (mode: observe) differ from their specs: web: memory',
    );
    await lab.close();
  });
});
