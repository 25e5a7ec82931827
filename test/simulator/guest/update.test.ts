import type { Answered } from '../../support/cluster/ask';
import type { OpenGuests } from '../../support/cluster/open-guests';
import { openGuests } from '../../support/cluster/open-guests';

let api: OpenGuests;
beforeEach(async () => {
  api = await openGuests();
  await api.create(100, { memory: '512', cores: '2', name: 'one' });
});
afterEach(() => api.close());

const digest = async (): Promise<unknown> => (await api.config(100))['digest'];
const post = (params: Record<string, string>): Promise<Answered> =>
  api.request('POST', '/nodes/pve1/qemu/100/config', params);

const failed = (reason: string): Partial<Answered> => ({ status: 500, reason });
const wrong = (errors: Record<string, string>): Partial<Answered> => ({ status: 400, errors });

describe('writing the configuration of a guest that is off', () => {
  it.each<[string, Record<string, string>, string, unknown]>([
    ['a whole number as a number', { cores: '03' }, 'cores', 3],
    ['a fraction as text', { cpulimit: '0.5' }, 'cpulimit', '0.5'],
    ['CPU units up to ten thousand', { cpuunits: '50000' }, 'cpuunits', 10000],
    ['memory as it was written', { memory: 'current=1024' }, 'memory', 'current=1024'],
    ['tags small, once and in order', { tags: 'B,a c;a' }, 'tags', 'a;b;c'],
    ['no tags as a blank', { tags: '' }, 'tags', ' '],
    ['a description without what is blank at its end', { description: 'a\nb \n\n' }, 'description', 'a\nb'],
    ['no description as none', { description: '' }, 'description', undefined],
    ['a text without its quotes', { ciuser: '"x"' }, 'ciuser', 'x'],
    ['the old CD-ROM key as ide2', { cdrom: 'none' }, 'ide2', 'none,media=cdrom'],
    [
      'a network device in order',
      { net0: 'bridge=vmbr0,model=e1000,macaddr=bc:24:11:00:00:01,tag=3' },
      'net0',
      'e1000=bc:24:11:00:00:01,bridge=vmbr0,tag=3',
    ],
    ['an agent as it was written', { agent: 'enabled=1' }, 'agent', 'enabled=1'],
    ['a switch as a number', { onboot: '0' }, 'onboot', 0],
  ])('keeps %s', async (_, params, key, value) => {
    expect(await api.put(100, params)).toMatchObject({ status: 200, data: null });
    expect((await api.config(100))[key]).toEqual(value);
  });

  it('gives a network device without a MAC a new one each time', async () => {
    const macs = new Set<unknown>();
    for (let write = 0; write < 3; write += 1) {
      await api.put(100, { net0: 'virtio,bridge=vmbr0' });
      macs.add((await api.config(100))['net0']);
    }
    expect(macs.size).toBe(3);
  });

  it.each<[string, Record<string, string>, Partial<Answered>]>([
    ['nothing at all', {}, failed('no options specified')],
    ['an empty list', { delete: '' }, failed('no options specified')],
    [
      'too large a balloon',
      { balloon: '513' },
      failed('balloon value too large (must be smaller than assigned memory)'),
    ],
    [
      'a boot device that is not there',
      { boot: 'order=scsi7' },
      failed("invalid bootorder: device 'scsi7' does not exist'"),
    ],
    [
      'an IOMMU that the machine lacks',
      { machine: 'pc,viommu=intel' },
      failed('to use Intel vIOMMU please set the machine type to q35'),
    ],
    [
      'a clipboard that the display lacks',
      { vga: 'none,clipboard=vnc' },
      failed('vga type none is not compatible with VNC clipboard'),
    ],
    ['keys that are none', { sshkeys: 'ssh-rsa%20AAAA' }, failed('SSH public key validation error')],
    [
      'a number that the file cannot hold',
      { cores: '+2' },
      failed("unable to parse value of 'cores' - type check ('integer') failed - got '+2'"),
    ],
    [
      'a value of two lines',
      { args: 'a\nb' },
      failed("unable to parse value of 'args' - property contains a line feed"),
    ],
    [
      'what it deletes',
      { cores: '1', delete: 'cores' },
      wrong({ delete: "you can't use '-cores' and -delete cores' at the same time" }),
    ],
    [
      'what it reverts',
      { cores: '1', revert: 'cores' },
      wrong({ delete: "you can't use '-cores' and -revert cores' at the same time" }),
    ],
    [
      'a deletion and a reverting',
      { delete: 'cores', revert: 'cores' },
      wrong({ revert: "you can't use '-delete cores' and -revert cores' at the same time" }),
    ],
    ['an unknown deletion', { delete: 'cores,digest' }, wrong({ delete: "unknown option 'digest'" })],
    [
      'a deletion that all objects know',
      { delete: 'constructor' },
      wrong({ delete: "unknown option 'constructor'" }),
    ],
    [
      'a script that is none',
      { hookscript: 'local:snippets/no.pl' },
      wrong({ hookscript: "script 'local:snippets/no.pl' does not exist\n" }),
    ],
  ])('refuses %s and writes nothing', async (_, params, answer) => {
    const before = await digest();
    expect(await api.put(100, params)).toMatchObject(answer);
    expect(await digest()).toBe(before);
  });

  it('deletes first, and what is not set without a word', async () => {
    expect(await api.put(100, { delete: 'cores,net5,unused3,template', name: 'two' })).toMatchObject({
      status: 200,
    });
    const config = await api.config(100);
    expect([config['cores'], config['name']]).toEqual([undefined, 'two']);
  });

  it('keeps the boot order in step with the drives', async () => {
    await api.put(100, { scsi0: 'local:1', scsi1: 'local:1' });
    await api.put(100, { boot: 'order=scsi0;scsi1' });
    await api.put(100, { delete: 'scsi0' });
    expect((await api.config(100))['boot']).toBe('order=scsi1');
    await api.put(100, { ide2: 'none,media=cdrom' });
    expect((await api.config(100))['boot']).toBe('order=scsi1;ide2');
    await api.put(100, { scsi2: 'local:1' });
    expect((await api.config(100))['boot']).toBe('order=scsi1;ide2');
  });

  it('writes none of the other keys when a disk cannot be made', async () => {
    const answer = await api.put(100, { cores: '8', name: 'x', zz: '' });
    expect(answer.status).toBe(400);
    const failed = await api.put(100, { cores: '8', scsi0: 'local:100/vm-100-disk-9.raw' });
    expect(failed).toMatchObject({
      status: 500,
      reason: "volume 'local:100/vm-100-disk-9.raw' does not exist",
    });
    expect(await api.config(100)).toMatchObject({ cores: 2, name: 'one' });
    expect(await api.waiting(100)).toEqual({});
  });

  it('refuses a write while a lock stands, but not to root who skips it', async () => {
    await api.put(100, { lock: 'backup' });
    expect(await api.put(100, { cores: '1' })).toMatchObject({
      status: 500,
      reason: 'VM is locked (backup)',
    });
    expect(await api.put(100, { delete: 'lock', skiplock: '1' })).toMatchObject({ status: 200 });
    expect(await api.put(100, { cores: '1' })).toMatchObject({ status: 200 });
  });

  it('cannot write without a quorum', async () => {
    api.world.cluster!.quorate = false;
    const { reason } = await api.put(100, { cores: '1' });
    expect(reason).toMatch(
      /^unable to open file '\/etc\/pve\/nodes\/pve1\/qemu-server\/100\.conf\.tmp\.\d+' - Permission denied$/,
    );
    const { exitstatus } = await api.run('POST', '/nodes/pve1/qemu/100/config', { cores: '1' });
    expect(exitstatus).toMatch(/Permission denied$/);
  });
});

describe('the digest', () => {
  it('is of the content: the same values, the same digest', async () => {
    const before = await digest();
    await api.put(100, { cores: '2' });
    expect(await digest()).toBe(before);
    await api.put(100, { cores: '3' });
    expect(await digest()).not.toBe(before);
    await api.put(100, { cores: '2' });
    expect(await digest()).toBe(before);
  });

  it('protects writes', async () => {
    const old = String(await digest());
    expect(await api.put(100, { cores: '3', digest: old })).toMatchObject({ status: 200 });
    const refused = { status: 500, reason: 'checksum mismatch (file change by other user?)' };
    expect(await api.put(100, { cores: '4', digest: old })).toMatchObject(refused);
    expect(await post({ cores: '4', digest: old })).toMatchObject(refused);
  });
});

describe('writing in a task', () => {
  it('tells in its log what it does, but no password', async () => {
    const { exitstatus, log } = await api.run('POST', '/nodes/pve1/qemu/100/config', {
      cores: '4',
      cipassword: 'secret',
      delete: 'vga',
    });
    expect(exitstatus).toBe('OK');
    expect(log).toEqual([
      'update VM 100: -cipassword <hidden> -cores 4 -delete vga',
      "cannot delete 'vga' - not set in current configuration!",
      'TASK OK',
    ]);
  });

  it('answers null when it is done in time', async () => {
    expect(await post({ cores: '4', background_delay: '5' })).toMatchObject({ status: 200, data: null });
    expect((await api.config(100))['cores']).toBe(4);
  });

  it('answers its failure when it fails in time', async () => {
    expect(await post({ scsi0: 'local:9/vm-9-disk-0.raw', background_delay: '5' })).toMatchObject({
      status: 500,
      reason: "failed to update VM 100: volume 'local:9/vm-9-disk-0.raw' does not exist",
    });
  });

  it('answers the task when time runs out', async () => {
    const { clock, tasks } = api.simulator.sim;
    const sleep = clock.sleep;
    let go = (): void => undefined;
    clock.sleep = ms => (ms === 5000 ? Promise.resolve() : new Promise(done => (go = () => done())));
    const { data } = await post({ cores: '4', background_delay: '5' });
    expect(data).toMatch(/^UPID:pve1:.*:qmconfig:100:root@pam:$/);
    clock.sleep = sleep;
    go();
    await tasks.ended(String(data));
    expect((await api.config(100))['cores']).toBe(4);
  });
});

describe('passwords', () => {
  it('are hashed by a write, never shown, and kept when they are hashes', async () => {
    const stored = (): string | undefined => api.world.guests[100]?.config['cipassword'];
    await api.put(100, { cipassword: 'clear' });
    expect(stored()).toMatch(/^\$5\$[0-9a-f]{8}\$[./0-9A-Za-z]{43}$/);
    expect((await api.config(100))['cipassword']).toBe('**********');
    const hash = '$6$abcdefgh$0123456789';
    await api.put(100, { cipassword: hash });
    expect(stored()).toBe(hash);
    await api.put(100, { ostype: 'win11' });
    await api.put(100, { cipassword: 'clear' });
    expect(stored()).toBe('clear');
  });
});

describe('who may write what', () => {
  const grant = (...privileges: string[]): void => {
    const { access } = api.world;
    access.roles['Some'] = privileges;
    access.acl.push({ path: '/vms', type: 'user', ugid: 'nobody@pve', roleid: 'Some', propagate: true });
  };
  const NOBODY = 'nobody@pve!t1=66666666-6666-4666-8666-666666666666';
  const putAsNobody = (params: Record<string, string>) => api.put(100, params, NOBODY);

  it.each<[string, string, string]>([
    ['cores', '1', 'VM.Config.CPU'],
    ['memory', '600', 'VM.Config.Memory'],
    ['allow-ksm', '0', 'VM.Config.Memory'],
    ['machine', 'q35', 'VM.Config.HWType'],
    ['name', 'x', 'VM.Config.Options'],
    ['tags', 'x', 'VM.Config.Options'],
    ['boot', '', 'VM.Config.Disk'],
    ['ide2', 'none,media=cdrom', 'VM.Config.CDROM'],
    ['serial0', 'socket', 'VM.Config.HWType'],
  ])('%s=%s needs %s', async (key, value, privilege) => {
    const other = privilege === 'VM.Config.CPU' ? 'VM.Config.Memory' : 'VM.Config.CPU';
    grant(other);
    expect(await putAsNobody({ [key]: value })).toMatchObject({
      status: 403,
      reason: `Permission check failed (/vms/100, ${privilege})`,
    });
    grant(privilege);
    expect(await putAsNobody({ [key]: value })).toMatchObject({ status: 200 });
  });

  it('cloud-init values need one of two', async () => {
    grant('VM.Config.CPU');
    expect(await putAsNobody({ ciuser: 'x' })).toMatchObject({
      status: 403,
      reason: 'Permission check failed (/vms/100, VM.Config.Cloudinit|VM.Config.Network)',
    });
    grant('VM.Config.Network');
    expect(await putAsNobody({ ciuser: 'x' })).toMatchObject({ status: 200 });
  });

  it('tags may be the administrator’s alone', async () => {
    grant('VM.Config.Options', 'VM.Audit');
    api.world.datacenter['user-tag-access'] = 'user-allow=existing';
    await api.put(100, { tags: 'known' });
    expect(await putAsNobody({ tags: 'known;new' })).toMatchObject({
      status: 403,
      reason: "Permission check failed (/, Sys.Modify for modifying tag 'new')",
    });
    expect(await putAsNobody({ tags: 'known' })).toMatchObject({ status: 200 });
    api.world.datacenter['registered-tags'] = 'known';
    expect(await putAsNobody({ delete: 'tags' })).toMatchObject({ status: 403 });
  });
});

describe('descriptions', () => {
  it.each([
    ['--', '--'],
    ['a\r\nb\r\n', 'a\r\nb'],
    ['\u0001 \u001b[0m', '\u0001 \u001b[0m'],
    ['# [PENDING]\nname: x', '# [PENDING]\nname: x'],
    ['%41 100% ü 😀', '%41 100% ü 😀'],
    ['  indented\n\n\nend \t\n', '  indented\n\n\nend'],
    ['a\ufeff', 'a\ufeff'],
    ['a\u00a0', 'a'],
    ['0', undefined],
  ])('%j reads back as %j', async (given, read) => {
    await api.put(100, { description: given });
    expect((await api.config(100))['description']).toBe(read);
  });

  it('of different content have different digests', async () => {
    await api.put(100, { description: 'a\nname: x' });
    const one = await digest();
    await api.put(100, { description: 'a' });
    expect(await digest()).not.toBe(one);
  });
});
