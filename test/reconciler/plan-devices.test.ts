import type { Action, MachinePlan } from '../../reconciler/action';
import { readDescription } from '../../reconciler/mark/description';
import type { Mark } from '../../reconciler/mark/mark';
import type { ObservedGuest } from '../../reconciler/observed';
import { changeLines } from '../../reconciler/report/change-lines';
import { planText } from '../../reconciler/report/plan-text';
import { machine } from '../support/spec/machine';
import { cluster, mark, planContext, planMachine, present } from '../support/reconciler/observed';

type Fields = Parameters<typeof machine>[0];

function plan(
  spec: Fields,
  config: Record<string, string>,
  fields: Partial<ObservedGuest> = {},
): MachinePlan {
  return planMachine(machine(spec), present(config, fields), cluster(), planContext());
}
type Configure = Extract<Action, { kind: 'configure' }>;
const configure = ({ actions }: MachinePlan): Configure => {
  const found = actions.find(action => action.kind === 'configure');
  if (!found) throw new Error('nothing is written');
  return found;
};
const keys = (result: MachinePlan): Record<string, string> => {
  const { description: _, ...set } = configure(result).set;
  return set;
};
/** The uuid in other letters: it waits in Proxmox until the guest is started, and so tells that a boot is due. */
const SIGN = { smbios1: 'uuid=0F0E0D0C-0000-4000-8000-000000000001' };
const markAfter = (result: MachinePlan): Mark | undefined =>
  readDescription(configure(result).set.description ?? '').mark;

const MAC = 'BC:24:11:00:00:01';
const net0 = `virtio=${MAC},bridge=vmbr0,firewall=1`;
const lan = { mark: mark({ networks: { lan: 'net0' } }) };

describe('networks', () => {
  it('keep their MAC and what nobody manages', () => {
    const result = plan({ networks: [{ name: 'lan', vlan: 20 }] }, { net0 }, lan);
    expect(keys(result)).toEqual({ net0: `${net0},tag=20` });
    expect(result.changes).toEqual([
      { field: 'networks[lan].vlan', from: undefined, to: '20', effect: 'live' },
    ]);
  });

  it('take a MAC in any spelling, and change it when the spec gives another', () => {
    const same = plan({ networks: [{ name: 'lan', macAddress: 'bc-24-11-00-00-01' }] }, { net0 }, lan);
    expect(same.actions).toEqual([]);
    const other = plan({ networks: [{ name: 'lan', macAddress: 'BC:24:11:00:00:99' }] }, { net0 }, lan);
    expect(keys(other).net0).toMatch(/^virtio=BC:24:11:00:00:99,/);
  });

  it('in another order are no change', () => {
    const net1 = 'virtio=BC:24:11:00:00:02,bridge=vmbr1';
    const both = { mark: mark({ networks: { lan: 'net0', dmz: 'net1' } }) };
    expect(plan({ networks: [{ name: 'dmz' }, { name: 'lan' }] }, { net0, net1 }, both).actions).toEqual([]);
  });

  it('that are new take the first free slot', () => {
    const result = plan(
      { networks: [{ name: 'mgmt', ipv4: 'dhcp' }, { name: 'lan' }] },
      { net0, net1: net0, ide2: 'fast:vm-101-cloudinit,media=cdrom' },
      lan,
    );
    expect(keys(result)).toMatchObject({ net2: 'virtio,bridge=vmbr2', ipconfig2: 'ip=dhcp' });
    expect(markAfter(result)).toMatchObject({ networks: { lan: 'net0', mgmt: 'net2' } });
  });

  it('that leave the spec go, with their addresses; cards that we do not know stay', () => {
    const known = { mark: mark({ networks: { lan: 'net0', old: 'net1' } }) };
    const config = { net0, net1: net0, ipconfig1: 'ip=dhcp', net2: net0 };
    const result = plan({ networks: [{ name: 'lan' }] }, config, known);
    expect(configure(result).delete).toEqual(['net1', 'ipconfig1']);
    expect(markAfter(result)).toMatchObject({ networks: { lan: 'net0' } });
    expect(plan({}, config, known).actions).toEqual([]);
  });

  it('that only leave with a restart are remembered until then', () => {
    const known = { mark: mark({ networks: { lan: 'net0', old: 'net1' } }) };
    const config = { net0, net1: net0, hotplug: 'disk' };
    const result = plan({ networks: [{ name: 'lan' }] }, config, known);
    expect(configure(result)).toMatchObject({ set: {}, delete: ['net1'] });
    const waits = plan({ networks: [{ name: 'lan' }] }, config, { ...known, pending: { net1: null } });
    expect(waits).toMatchObject({ actions: [], waiting: [{ field: 'networks[old]', effect: 'restart' }] });
  });

  const REMEMBERED = { networks: [{ name: 'lan' }], config: { hotplug: 'disk,network,usb' } };
  it('that come back are said to get a new address, which Proxmox draws', () => {
    const { networks, config } = REMEMBERED;
    expect(plan({ networks }, config, lan).warnings?.map(({ text }) => text)).toEqual([
      'network card lan is not there any more, and comes back with a new MAC address, which Proxmox draws: what knows the old one (a lease, a rule of a firewall) does not know it. To choose it, say macAddress.',
    ]);
    const chosen = [{ name: 'lan', macAddress: MAC }];
    expect(plan({ networks: chosen }, config, lan).warnings).toBeUndefined();
    expect(plan({ networks: [{ name: 'new' }] }, { net0 }, {}).warnings).toBeUndefined();
    expect(plan({ networks }, { net0 }, { ...lan, pending: { net0: null } }).warnings).toBeUndefined();
  });

  it('that somebody marked for removal are kept, with their MAC', () => {
    const result = plan({ networks: [{ name: 'lan' }] }, { net0 }, { ...lan, pending: { net0: null } });
    expect(keys(result)).toEqual({ net0 });
  });

  const ADDRESSES: [string, object, string][] = [
    ['both families', { ipv4: 'dhcp', ipv6: 'auto' }, 'ip=dhcp,ip6=auto'],
    [
      'static',
      { ipv6: { address: '2001:db8::5/64', gateway: '2001:db8::1' } },
      'gw6=2001:db8::1,ip6=2001:db8::5/64',
    ],
    ['static without a gateway', { ipv4: { address: '192.0.2.9/24' } }, 'ip=192.0.2.9/24'],
    [
      'the short form',
      { staticIP: { address: '192.0.2.9/24', gateway: '192.0.2.1' } },
      'gw=192.0.2.1,ip=192.0.2.9/24',
    ],
  ];
  it.each(ADDRESSES)('write addresses: %s', (_, fields, text) => {
    const config = {
      net0,
      ide2: 'fast:vm-101-cloudinit,media=cdrom',
      ipconfig0: 'ip=192.0.2.7/24,gw=192.0.2.254',
    };
    const only = text.includes('ip=')
      ? text
      : `gw=192.0.2.254,${text.split(',')[0]},ip=192.0.2.7/24,${text.split(',')[1]}`;
    expect(keys(plan({ networks: [{ name: 'lan', ...fields }] }, config, lan))).toEqual({
      ipconfig0: only,
      ...SIGN,
    });
  });
});

const scsi0 = 'fast:vm-101-disk-0,cache=none,size=8G';
const root = { mark: mark({ disks: { root: 'scsi0' } }) };
const rootDisk = { name: 'root', size: '8Gi', storage: 'fast' };

describe('disks', () => {
  it('keep their volume when a property changes', () => {
    const result = plan({ disks: [{ ...rootDisk, discard: true }] }, { scsi0 }, root);
    expect(keys(result)).toEqual({ scsi0: 'fast:vm-101-disk-0,cache=none,discard=on,size=8G' });
    expect(result.changes).toMatchObject([{ field: 'disks[root].discard', effect: 'restart' }]);
  });

  it('grow to an absolute size', () => {
    const result = plan({ disks: [{ ...rootDisk, size: '20Gi' }] }, { scsi0 }, root);
    expect(result.actions).toEqual([{ kind: 'resize', slot: 'scsi0', bytes: 20 * 2 ** 30 }]);
    expect(result.changes).toEqual([{ field: 'disks[root].size', from: '8Gi', to: '20Gi', effect: 'live' }]);
  });

  it.each([
    ['8G', []],
    ['8192M', []],
    ['8589934592', []],
    ['8388608K', []],
    ['4G', ['resize']],
  ])('read the size %s', (size, expected) => {
    const result = plan({ disks: [rootDisk] }, { scsi0: `fast:vm-101-disk-0,size=${size}` }, root);
    expect(result.actions.map(({ kind }) => kind)).toEqual(expected);
  });

  it('move when their storage changes, and nothing else is written to their slot meanwhile', () => {
    const result = plan({ disks: [{ ...rootDisk, storage: 'slow', cache: 'unsafe' }] }, { scsi0 }, root);
    expect(result.actions).toEqual([
      { kind: 'move-disk', slot: 'scsi0', storage: 'slow', format: undefined },
    ]);
  });

  it('take another format in one move, where they are or elsewhere (recording g7)', () => {
    const there = { scsi0: 'fast:101/vm-101-disk-0.raw,size=8G' };
    const moved = plan({ disks: [{ ...rootDisk, format: 'qcow2' }] }, there, root);
    expect(moved.actions).toEqual([{ kind: 'move-disk', slot: 'scsi0', storage: 'fast', format: 'qcow2' }]);
    expect(moved.changes).toMatchObject([
      { field: 'disks[root].format', from: 'raw', to: 'qcow2', effect: 'live' },
    ]);
    const away = plan({ disks: [{ ...rootDisk, storage: 'slow', format: 'qcow2' }] }, there, root);
    expect(away.actions).toEqual([{ kind: 'move-disk', slot: 'scsi0', storage: 'slow', format: 'qcow2' }]);
    expect(plan({ disks: [{ ...rootDisk, format: 'raw' }] }, there, root).actions).toEqual([]);
  });

  it('do not move while their line waits for a restart', () => {
    const pending = { scsi0: `${scsi0},ssd=1` };
    const result = plan({ disks: [{ ...rootDisk, storage: 'slow' }] }, { scsi0 }, { ...root, pending });
    expect(result.actions).toEqual([]);
    expect(result.waiting).toMatchObject([{ field: 'disks[root].storage' }]);
  });

  it.each([
    ['another storage', { storage: 'slow' }, 'disks[root].storage', 'fast', 'slow'],
    ['another format', { format: 'qcow2' as const }, 'disks[root].format', 'raw', 'qcow2'],
  ])(
    'that a snapshot keeps from a move to %s are shown as moving, not as gone',
    (_, fields, field, from, to) => {
      const line = 'fast:vm-101-disk-0.raw,size=8G';
      const facts = { snapshotConfigs: [{ name: 'mine', config: { scsi0: line } }] };
      const result = planMachine(
        machine({ disks: [{ ...rootDisk, ...fields }] }),
        present({ scsi0: line }, root),
        cluster(),
        planContext({ facts }),
      );
      expect(result.refusals).toMatchObject([{ why: 'disk-in-snapshot' }]);
      expect(changeLines(result)).toEqual([`${field}: ${from} -> ${to} (refused)`]);
    },
  );

  it('that grow and change while their guest runs are written once they have grown: the plan says it', () => {
    const result = plan({ disks: [{ ...rootDisk, size: '20Gi', discard: true }] }, { scsi0 }, root);
    expect(result.actions.map(({ kind }) => kind)).toEqual(['resize']);
    expect(planText([result], 0).split('\n')[0]).toBe('web: would grow scsi0 to 20Gi, then write scsi0');
    const alone = plan({ disks: [{ ...rootDisk, size: '20Gi' }] }, { scsi0 }, root);
    expect(planText([alone], 0).split('\n')[0]).toBe('web: would grow scsi0 to 20Gi');
  });

  it('that are new go into a slot that is empty now and after the next start', () => {
    const disks = [rootDisk, { name: 'data', size: '512Mi' }];
    const config = { scsi0, scsi1: 'fast:vm-101-disk-5,size=1G', scsi2: 'none,media=cdrom' };
    const result = plan({ disks }, config, {
      ...root,
      pending: { scsi1: null, scsi3: 'fast:vm-101-disk-6,size=1G' },
    });
    expect(keys(result)).toEqual({ scsi4: 'fast:0.5' });
    expect(markAfter(result)).toMatchObject({ disks: { root: 'scsi0', data: 'scsi4' } });
    expect(configure(result)).toMatchObject({ slow: true, verify: true });
  });

  it('that exist are attached as they are', () => {
    const disks = [rootDisk, { name: 'data', existingVolume: 'slow:vm-7-disk-1', backup: false }];
    expect(keys(plan({ disks }, { scsi0 }, root))).toEqual({ scsi1: 'slow:vm-7-disk-1,backup=0' });
  });

  it('that leave the spec are detached, and their volume stays', () => {
    const known = { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' } }) };
    const scsi1 = 'fast:vm-101-disk-1,size=1G';
    const result = plan({ disks: [rootDisk] }, { scsi0, scsi1 }, known);
    expect(configure(result).delete).toEqual(['scsi1']);
    const later = plan({ disks: [rootDisk] }, { scsi0, unused0: 'fast:vm-101-disk-1' }, root);
    expect(later.actions).toEqual([]);
  });

  it('that leave with their volume are deleted in a second step, which a crash does not lose', () => {
    const known = { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' }, deletedWithSpec: ['data'] }) };
    const scsi1 = 'fast:vm-101-disk-1,size=1G';
    const first = plan({ disks: [rootDisk] }, { scsi0, scsi1 }, known);
    const after = markAfter(first);
    expect(after).toMatchObject({ disks: { root: 'scsi0' }, volumesToDelete: ['fast:vm-101-disk-1'] });
    if (after === undefined) throw new Error('no mark');
    const config = { scsi0, unused0: 'fast:vm-101-disk-9', unused1: 'fast:vm-101-disk-1' };
    const second = plan({ disks: [rootDisk] }, config, { mark: after });
    expect(configure(second).delete).toEqual(['unused1']);
    expect(markAfter(second)).toEqual(mark({ disks: { root: 'scsi0' } }));
  });

  it('that leave with their volume say that it is deleted, and when', () => {
    const known = { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' }, deletedWithSpec: ['data'] }) };
    const scsi1 = 'fast:vm-101-disk-1,size=1G';
    const config = { scsi0, scsi1 };
    const told = (result: MachinePlan): string[] =>
      changeLines(result).filter(line => line.startsWith('disks'));
    expect(told(plan({ disks: [rootDisk] }, config, known))).toEqual([
      `disks[data]: ${scsi1} -> (none), and its volume is deleted`,
    ]);
    const cold = { ...config, hotplug: 'network' };
    const first = plan({ disks: [rootDisk] }, cold, known);
    const later = '(none), and its volume is deleted after the next restart';
    expect(told(first)).toEqual([`disks[data]: ${scsi1} -> ${later} (restart)`]);
    const after = markAfter(first);
    if (after === undefined) throw new Error('no mark');
    const waits = plan({ disks: [rootDisk] }, cold, { mark: after, pending: { scsi1: null } });
    expect(waits.actions).toEqual([]);
    expect(told(waits)).toEqual([`disks[data]: ${scsi1} -> ${later} (waits for a restart)`]);
    const guarded = plan({ disks: [rootDisk], protection: true }, cold, known);
    expect(told(guarded)).toEqual([
      `disks[data]: ${scsi1} -> ${later}, once the machine is not protected (restart)`,
    ]);
    const kept = plan({ disks: [rootDisk] }, config, { mark: { ...known.mark, deletedWithSpec: undefined } });
    expect(told(kept)).toEqual([`disks[data]: ${scsi1} -> (none)`]);
    const foreign = { scsi0, scsi1: 'fast:vm-7-disk-1,size=1G' };
    expect(told(plan({ disks: [rootDisk] }, foreign, known))).toEqual([
      `disks[data]: ${foreign.scsi1} -> (none)`,
    ]);
  });

  it('that belong to another guest are never deleted', () => {
    const known = { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' }, deletedWithSpec: ['data'] }) };
    const result = plan({ disks: [rootDisk] }, { scsi0, scsi1: 'fast:vm-7-disk-1,size=1G' }, known);
    expect(configure(result).delete).toEqual(['scsi1']);
    expect(markAfter(result)).toEqual(mark({ disks: { root: 'scsi0' } }));
  });

  it('that came with the image and are gone are not replaced by an empty one', () => {
    const lost = { mark: mark({ disks: { root: 'scsi0' }, image: 'template debian' }) };
    const result = plan(
      { image: { template: 'debian' }, disks: [rootDisk] },
      { unused0: 'fast:vm-101-disk-0' },
      lost,
    );
    expect(result.refusals).toMatchObject([{ why: 'disk-lost' }]);
  });

  it('root is the disk that the guest boots from', () => {
    const config = { scsi1: scsi0, scsi0: 'fast:vm-101-disk-1,size=1G', boot: 'order=net0;scsi1' };
    const first = { mark: mark({ image: 'template debian' }) };
    const result = plan(
      { image: { template: 'debian' }, disks: [{ ...rootDisk, size: '9Gi' }] },
      config,
      first,
    );
    expect(result.actions).toContainEqual({ kind: 'resize', slot: 'scsi1', bytes: 9 * 2 ** 30 });
  });
});

describe('boot order', () => {
  it('is written with the devices that it names, in one request', () => {
    const spec = { bootOrder: ['data', 'root'], disks: [rootDisk, { name: 'data', size: '1Gi' }] };
    const result = plan(spec, { scsi0, boot: 'order=net0' }, root);
    expect(keys(result)).toEqual({ scsi1: 'fast:1', boot: 'order=scsi1;scsi0' });
    expect(result.changes).toContainEqual({
      field: 'bootOrder',
      from: 'order=net0',
      to: 'order=scsi1;scsi0',
      effect: 'restart',
    });
  });

  it('by kinds stays when another disk or card comes: that would only wait for a restart', () => {
    const spec = {
      bootOrder: ['disk', 'network'],
      disks: [rootDisk, { name: 'data', size: '1Gi' }],
      networks: [{ name: 'lan' }, { name: 'dmz' }],
    };
    const known = { mark: mark({ disks: { root: 'scsi0' }, networks: { lan: 'net0' } }) };
    const result = plan(spec, { scsi0, net0, boot: 'order=scsi0;net0' }, known);
    expect(Object.keys(keys(result))).toEqual(['scsi1', 'net1']);
    expect(result.changes.map(({ effect }) => effect)).toEqual(['live', 'live']);
    expect(
      keys(
        plan({ ...spec, bootOrder: ['network', 'disk'] }, { scsi0, net0, boot: 'order=scsi0;net0' }, known),
      ).boot,
    ).toBe('order=net0;net1;scsi0;scsi1');
  });

  it('says the CD-ROM drive that Proxmox would append, and takes it at the end for the same', () => {
    const spec = { bootOrder: ['disk'], disks: [rootDisk], cdrom: 'none' as const };
    const result = plan(spec, { scsi0, boot: 'order=scsi0' }, root);
    expect(keys(result)).toEqual({ ide2: 'none,media=cdrom', boot: 'order=scsi0;ide2' });
    const there = { scsi0, ide2: 'none,media=cdrom', boot: 'order=scsi0;ide2' };
    expect(plan(spec, there, root).actions).toEqual([]);
    const unmanaged = plan({ disks: [rootDisk], cdrom: 'none' }, { scsi0, boot: 'order=scsi0' }, root);
    expect(keys(unmanaged)).toEqual({ ide2: 'none,media=cdrom', boot: 'order=scsi0;ide2' });
  });

  it.each<[string, string, string[], string | undefined]>([
    ['a cloud-init drive at the end', 'order=scsi0;ide2', ['disk'], undefined],
    ['one between what is named', 'order=scsi0;ide2;net0', ['disk', 'network'], undefined],
    ['a drive that is gone', 'order=scsi0;ide3', ['disk'], undefined],
    ['one in front boots first', 'order=ide2;scsi0', ['disk'], 'order=scsi0;scsi1'],
    ['one that is named has its place', 'order=scsi0;ide2', ['ide2', 'disk'], 'order=ide2;scsi0;scsi1'],
    ['a disk that is not named', 'order=scsi0;scsi1;ide2', ['root'], 'order=scsi0'],
  ])('is the same with drives that Proxmox appended (behaviour.md §16.1): %s', (_, boot, bootOrder, said) => {
    const config = { scsi0, scsi1: scsi0, net0, ide2: 'fast:vm-101-cloudinit,media=cdrom', boot };
    // something else is written, too
    const spec = { bootOrder, disks: [rootDisk], onBoot: true };
    expect(keys(plan(spec, config, root)).boot).toBe(said);
  });

  it('knows kinds, names and slots', () => {
    const config = { scsi0, net0, net1: net0, ide3: 'none,media=cdrom', usb0: 'spice' };
    const known = { mark: mark({ disks: { root: 'scsi0' }, networks: { lan: 'net1' } }) };
    const spec = { disks: [rootDisk], networks: [{ name: 'lan' }] };
    const order = (bootOrder: string[]) => keys(plan({ ...spec, bootOrder }, config, known)).boot;
    expect(order(['cdrom', 'disk', 'network'])).toBe('order=ide3;scsi0;net0;net1');
    expect(order(['lan', 'root', 'usb0'])).toBe('order=net1;scsi0;usb0');
  });
});

describe('cloud-init', () => {
  const drive = { ide2: 'fast:vm-101-cloudinit,media=cdrom', scsi0 };
  const secret = { cloudInit: { passwordFrom: { environment: 'PW' } } };
  const withSecret = (spec: Fields, marked: ReturnType<typeof mark>) =>
    planMachine(
      machine(spec),
      present(drive, { mark: marked }),
      cluster(),
      planContext({ secrets: { password: '$6$x' } }),
    );

  it('makes the drive of a running guest anew after a change', () => {
    const result = plan({ cloudInit: { user: 'ops' } }, { ...drive, ciuser: 'admin' });
    expect(result.actions.map(({ kind }) => kind)).toEqual(['configure', 'regenerate-cloud-init']);
    const off = plan({ cloudInit: { user: 'ops' } }, drive, { power: 'stopped' });
    expect(off.actions.map(({ kind }) => kind)).toEqual(['configure', 'power']);
    const lost = plan(
      { cloudInit: { user: 'ops' } },
      { ...drive, ciuser: 'ops' },
      { mark: mark({ isDriveOld: true }), cloudInitStale: true },
    );
    expect(lost.actions).toEqual([{ kind: 'regenerate-cloud-init' }]);
    const made = plan(
      { cloudInit: { user: 'ops' } },
      { ...drive, ciuser: 'ops' },
      { mark: mark({ isDriveOld: true }) },
    );
    expect(made.actions).toMatchObject([{ kind: 'configure', verify: false }]);
    expect(markAfter(made)).toEqual(mark());
  });

  it('gives a guest that needs the drive one, beside its root', () => {
    const result = plan({ cloudInit: { user: 'ops' } }, { scsi0, ide2: 'none,media=cdrom' });
    expect(keys(result)).toEqual({ ciuser: 'ops', ide0: 'fast:cloudinit,media=cdrom', ...SIGN });
  });

  it('sends the password once a version, and never shows it', () => {
    const first = withSecret(secret, mark());
    expect(keys(first)).toEqual({ cipassword: '$6$x', ...SIGN });
    expect(markAfter(first)).toEqual(
      mark({ passwordVersion: 1, isDriveOld: true, nextBoot: { cipassword: null } }),
    );
    expect(first.changes).toEqual([
      { field: 'cloudInit.passwordFrom', from: undefined, to: '(secret)', effect: 'restart' },
    ]);
    expect(withSecret(secret, mark({ passwordVersion: 1 })).actions).toEqual([]);
    const raised = withSecret(
      { cloudInit: { ...secret.cloudInit, passwordVersion: 2 } },
      mark({ passwordVersion: 1 }),
    );
    expect(markAfter(raised)).toEqual(
      mark({ passwordVersion: 2, isDriveOld: true, nextBoot: { cipassword: null } }),
    );
  });

  it('refuses when the password is to be sent and is not there', () => {
    expect(plan(secret, drive).refusals).toMatchObject([{ why: 'secret-missing' }]);
    expect(plan(secret, drive, { mark: mark({ passwordVersion: 1 }) }).refusals).toEqual([]);
  });

  it('takes name servers from networks too', () => {
    const networks = [{ name: 'lan', staticIP: { address: '192.0.2.9/24', dns: ['192.0.2.53'] } }];
    const spec = { networks, cloudInit: { dns: { servers: ['192.0.2.1', '192.0.2.53'] } } };
    expect(keys(plan(spec, { ...drive, net0 }, lan)).nameserver).toBe('192.0.2.1 192.0.2.53');
  });
});

describe('the CD-ROM drive', () => {
  it.each([
    ['is the one that is there', { sata1: 'none,media=cdrom' }, 'sata1'],
    ['is ide2 where there is none', {}, 'ide2'],
    ['is never the cloud-init drive', { ide2: 'fast:vm-101-cloudinit,media=cdrom' }, 'ide0'],
  ])('%s', (_, config, slot) => {
    const result = plan({ cdrom: 'local:iso/a.iso' }, config as Record<string, string>);
    expect(keys(result)).toEqual({ [slot]: 'local:iso/a.iso,media=cdrom' });
  });
});

describe('a machine that is protected', () => {
  const scsi1 = 'fast:vm-101-disk-1,size=4G';
  const disks = { scsi0: 'fast:vm-101-disk-0,size=8G', scsi1, boot: 'order=scsi0' };
  const known = { mark: mark({ disks: { root: 'scsi0', data: 'scsi1' }, deletedWithSpec: ['data'] }) };
  const left: Fields = { disks: [{ name: 'root', size: '8Gi' }] };

  it.each<[string, Fields]>([
    ['stays so', { ...left, protection: true }],
    ['is not managed', left],
    ['and loses another drive by clear', { clear: ['tpm'], tpm: undefined }],
  ])('refuses the removal of a drive at the plan when it %s', (_, spec) => {
    const result = plan(
      spec,
      { ...disks, protection: '1', tpmstate0: 'fast:vm-101-disk-2,size=4M,version=v2.0' },
      known,
    );
    expect(result.actions).toEqual([]);
    expect(result.refusals).toMatchObject([{ why: 'protected' }]);
    expect(result.refusals[0]?.remedy).toContain('protection to false');
  });

  it('is freed first, and loses the drive with the next write', () => {
    const result = plan({ ...left, protection: false }, { ...disks, protection: '1' }, known);
    expect(configure(result)).toMatchObject({ set: { protection: '0' }, delete: [], verify: true });
    expect(result.changes.map(({ field }) => field)).toEqual(['protection', 'disks[data]']);
    expect(markAfter(result)?.disks).toEqual({ root: 'scsi0', data: 'scsi1' });
    const next = plan({ ...left, protection: false }, disks, known);
    expect(configure(next).delete).toEqual(['scsi1']);
  });

  it('becomes so once the volume of a drive that goes is freed', () => {
    const first = plan({ ...left, protection: true }, disks, known);
    expect(configure(first)).toMatchObject({ delete: ['scsi1'], set: { description: expect.anything() } });
    expect(keys(first)).toEqual({});
    const { scsi1: _, ...rest } = disks;
    const unused = { ...rest, unused0: 'fast:vm-101-disk-1' };
    const next = plan({ ...left, protection: true }, unused, {
      mark: mark({ disks: { root: 'scsi0' }, volumesToDelete: ['fast:vm-101-disk-1'] }),
    });
    expect(configure(next)).toMatchObject({ delete: ['unused0'], set: { protection: '1' } });
  });
});

it('does not delete the volume of a disk that came back before it had left', () => {
  const here = {
    scsi0: 'fast:vm-101-disk-0,size=8G',
    sata0: 'fast:vm-101-disk-1,size=4G',
    boot: 'order=scsi0',
  };
  const back: Fields = {
    disks: [
      { name: 'root', size: '8Gi' },
      { name: 'data', size: '4Gi', type: 'sata' },
    ],
  };
  const leaving = mark({ disks: { root: 'scsi0', data: 'sata0' }, volumesToDelete: ['fast:vm-101-disk-1'] });
  expect(
    markAfter(plan(back, here, { pending: { sata0: null }, mark: leaving }))?.volumesToDelete,
  ).toBeUndefined();
  expect(markAfter(plan(back, here, { mark: leaving }))?.volumesToDelete).toBeUndefined();
});

describe("what the guest's own hardware cannot have is refused at the plan", () => {
  it.each<[string, Fields, Record<string, string>, string]>([
    ['more CPUs than its cores', { cpu: { vcpus: 4 } }, { cores: '2' }, 'at most 2'],
    ['a balloon above its memory', { balloon: '4Gi' }, { memory: '2048' }, 'at most 2Gi'],
    [
      'an Intel vIOMMU on its i440fx',
      { machine: { viommu: 'intel' } },
      { machine: 'pc-i440fx-10.0' },
      'with q35',
    ],
    ['PCI Express on its i440fx', { pci: [{ mapping: 'gpu', pcie: true }] }, { cores: '1' }, 'with q35'],
    ['memory hotplug without its NUMA', { hotplug: ['memory'] }, { numa: '0' }, 'cpu.numa true'],
  ])('%s', (_, said, config, allowed) => {
    // a machine from a template: nothing is known of its hardware before it is read
    const spec = { image: { template: 'debian' }, ...said };
    const known = { mark: mark({ image: 'template debian' }) };
    const { refusals, actions } = plan(spec, { scsi0, ...config }, known);
    expect(actions).toEqual([]);
    expect(refusals).toMatchObject([{ why: 'unfit', detail: expect.stringContaining(allowed) }]);
  });

  it('and what it can have is not', () => {
    const spec: Fields = { image: { template: 'debian' }, machine: { viommu: 'intel' }, cpu: { vcpus: 2 } };
    const known = { mark: mark({ image: 'template debian' }) };
    const config = { scsi0, machine: 'q35', cores: '1', sockets: '2' };
    expect(plan(spec, config, known).refusals).toEqual([]);
  });
});

describe('limits of a disk', () => {
  const limited = (limits: string): Record<string, string> => ({ scsi0: `${scsi0},${limits}` });
  const wanting = (limits: object): Fields => ({ disks: [{ name: 'root', limits }] });

  it.each<[string, string, object, string]>([
    ['a half replaces its total', 'mbps=5,mbps_max=9', { mbpsRead: 3 }, 'mbps_rd=3'],
    ['a total replaces its halves', 'iops_rd=5,iops_wr=6', { iops: 9 }, 'iops=9'],
    ['a burst below the new limit goes', 'mbps=5,mbps_max=9,bps_max_length=2', { mbps: 20 }, 'mbps=20'],
    ['a burst above it stays', 'mbps=5,mbps_max=90', { mbps: 20 }, 'mbps=20,mbps_max=90'],
  ])('%s', (_, have, limits, after) => {
    const result = plan(wanting(limits), limited(have), root);
    const parts = (keys(result).scsi0 ?? '').split(',').filter(part => /^(?:mbps|iops|bps)/.test(part));
    expect(parts.join()).toBe(after);
    expect(result.changes.map(({ field }) => field)).toEqual([
      `disks[root].limits.${Object.keys(limits)[0]}`,
    ]);
  });
});
