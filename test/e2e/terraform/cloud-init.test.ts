import type { TerraformStack } from 'cdktf';
import { Image, Machine, ProxmoxCluster, Reference, type CloudInitProps } from '../../../constructs';
import { readIso } from '../../../simulator/guest/agent/iso9660';
import { deployment, type Deployment } from '../../support/terraform/deployment';
import { describeEachEngine } from '../../support/terraform/engines';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHn3PqcC0HV6zJ0mPqmVQQ0nXk0y3TqY3m7d4rD0bFZb me@host';
const SECRET = 'pl4nted-t0ken';
const GIVEN = {
  userData: { packages: ['nginx'] },
  vendorData: '#cloud-config\ntimezone: Europe/Oslo\n',
  metaData: { 'local-hostname': 'said-by-the-user' },
} satisfies CloudInitProps;

/** The machine `web`, and beside it one whose data is read from where it points to. */
interface Stack {
  web?: CloudInitProps;
  clear?: string[];
  description?: string;
  referred?: boolean;
}

const stackWith =
  ({ web = GIVEN, clear, description = '', referred = true }: Stack) =>
  (stack: TerraformStack): void => {
    const image = Image.fromTemplate('ubuntu-22.04');
    new ProxmoxCluster(stack, 'lab');
    const networks = [
      { name: 'lan', ipv4: { address: '192.0.2.10/24', gateway: '192.0.2.1' } },
      { name: 'dmz', ipv6: 'auto' as const },
    ];
    const plain = networks.map(({ name }) => ({ name }));
    const said = clear ? { clear, networks: plain } : { networks };
    new Machine(stack, 'web', { image, description, cloudInit: web, ...said });
    if (!referred) return;
    const cloudInit = {
      userDataFrom: Reference.fromEnvironment('GUEST_USER_DATA'),
      vendorDataFrom: Reference.fromFile('vendor-data'),
      networkDataFrom: Reference.fromFile('network-data'),
      metaDataFrom: Reference.fromEnvironment('GUEST_META_DATA'),
      user: 'ops',
      sshKeys: [KEY],
    };
    new Machine(stack, 'db', { image, cloudInit });
  };

// The rows play after each other on one stack.
describeEachEngine('cloud-init data', engine => {
  let lab: Deployment;
  beforeAll(async () => {
    lab = await deployment(engine, { lagMs: 1000 });
    lab.access['GUEST_USER_DATA'] = `#cloud-config\nruncmd: [echo ${SECRET}]\n`;
    lab.access['GUEST_META_DATA'] = 'local-hostname: referred\n';
  });
  afterAll(() => lab.close());

  const isos = (): string[] =>
    lab.world.volumes.map(({ volid }) => volid).filter(volid => volid.includes(':iso/pvr-'));
  const mediumOf = (name: string): string | undefined =>
    Object.values(lab.guest(name)?.config ?? {})
      .map(text => text.split(',')[0])
      .find(text => text?.includes(':iso/pvr-'));
  const filesOf = (name: string): Record<string, string> => {
    const iso = lab.world.volumes.find(({ volid }) => volid === mediumOf(name));
    const content = readIso(Buffer.from(iso?.text ?? '', 'latin1'));
    return Object.fromEntries([...(content?.files ?? [])].map(([file, bytes]) => [file, bytes.toString()]));
  };
  const idOf = (name: string): unknown =>
    (JSON.parse(filesOf(name)['meta-data'] ?? '') as Record<string, unknown>)['instance-id'];
  const settle = async (given: Stack = {}): Promise<void> => {
    await lab.synth(stackWith(given));
    await settled();
  };
  const settled = async (): Promise<void> => {
    const { code, text } = await lab.apply();
    if (code !== 0) throw new Error(text);
    const again = await lab.plan();
    if (again.code !== 0) throw new Error(again.text);
  };

  test('two machines are made in one apply, each with an ISO of its own', async () => {
    await lab.synth(stackWith({}));
    lab.put('vendor-data', '#!/bin/sh\ntrue\n');
    lab.put('network-data', '{"version": 2, "ethernets": {"eth0": {"dhcp4": true}}}');
    await settled();
    expect(isos().sort()).toEqual([mediumOf('web'), mediumOf('db')].sort());
    const web = filesOf('web');
    expect(web['user-data']).toMatch(/^#cloud-config\n[^]*nginx/);
    expect(web['vendor-data']).toBe(GIVEN.vendorData);
    expect(web['meta-data']).toContain('said-by-the-user');
    expect(web['network-config']).toMatch(/192\.0\.2\.10\/24[^]*"accept-ra": true/);
    const db = filesOf('db');
    expect(db['user-data']).toContain('multipart/mixed');
    expect(db['vendor-data']).toBe('#!/bin/sh\ntrue\n');
    expect(db['network-config']).toBe('{"version": 2, "ethernets": {"eth0": {"dhcp4": true}}}');
    expect(db['meta-data']).toMatch(/^instance-id: pvr-\w+\nlocal-hostname: referred\n$/);
  });

  test('what was read from a reference stands in no state', async () => {
    const { text } = await lab.run('state', 'pull');
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, -4));
  });

  test('nothing changed: nothing is written', async () => {
    lab.writes();
    expect(await lab.apply()).toMatchObject({ code: 0 });
    expect(lab.writes()).toEqual([]);
  });

  test('another field leaves the ISO and its instance-id', async () => {
    const [medium, id] = [mediumOf('web'), idOf('web')];
    await settle({ description: 'changed' });
    expect([mediumOf('web'), idOf('web')]).toEqual([medium, id]);
  });

  test('changed data: another ISO and instance-id in the guest that runs, and the old one goes', async () => {
    const [old, id] = [mediumOf('web'), idOf('web')];
    const since = lab.guest('web')?.running;
    await settle({ web: { ...GIVEN, userData: '#!/bin/sh\necho caddy\n' } });
    expect(isos().sort()).toEqual([mediumOf('web'), mediumOf('db')].sort());
    expect(mediumOf('web')).not.toBe(old);
    expect(idOf('web')).not.toBe(id);
    expect(filesOf('web')['user-data']).toBe('#!/bin/sh\necho caddy\n');
    expect(lab.guest('web')?.running).toEqual(since);
  });

  test('changed text behind a reference is a change that the plan shows', async () => {
    const old = mediumOf('db');
    lab.put('vendor-data', '#!/bin/sh\nfalse\n');
    expect(await lab.plan()).toMatchObject({ code: 2 });
    await settled();
    expect(filesOf('db')['vendor-data']).toBe('#!/bin/sh\nfalse\n');
    expect(isos()).not.toContain(old);
  });

  test('a reference that is gone is refused at plan, by field and place', async () => {
    const before = lab.access['GUEST_USER_DATA'] ?? '';
    delete lab.access['GUEST_USER_DATA'];
    const { code, text } = await lab.plan();
    lab.access['GUEST_USER_DATA'] = before;
    expect(code).toBe(1);
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /machine db: cloudInit\.userDataFrom names the environment variable GUEST_USER_DATA, which is not set/,
    );
  });

  test('somebody ejects one ISO, and puts another file in place of the other: both are as wanted again', async () => {
    const before = [mediumOf('web'), filesOf('web'), filesOf('db')];
    const { node, vmid, config } = lab.guest('web')!;
    const [slot = ''] = Object.entries(config).find(([, text]) => text.includes(':iso/pvr-')) ?? [];
    await lab.byHand('PUT', `/nodes/${node}/qemu/${vmid}/config`, { [slot]: 'none,media=cdrom' });
    const other = lab.world.volumes.find(({ volid }) => volid === mediumOf('db'));
    Object.assign(other!, { text: 'x', size: 1, filesize: 1 });
    expect(await lab.plan()).toMatchObject({ code: 2 });
    await settled();
    expect([mediumOf('web'), filesOf('web'), filesOf('db')]).toEqual(before);
  });

  test('data that is removed and cleared: its ISO goes, the other stays', async () => {
    await settle({ web: {}, clear: ['cloudInit.userData'] });
    expect(mediumOf('web')).toBeUndefined();
    expect(isos()).toEqual([mediumOf('db')]);
  });

  test('a machine that leaves the stack takes its ISO along', async () => {
    await settle({ referred: false });
    expect(isos()).toEqual([mediumOf('web')]);
  });

  test('destroy leaves no ISO', async () => {
    expect(await lab.destroy()).toMatchObject({ code: 0 });
    expect([lab.guests(), isos()]).toEqual([[], []]);
  });
});
