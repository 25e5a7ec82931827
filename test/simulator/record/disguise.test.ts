import { disguisedIp } from '../../../simulator/record/disguise/address';
import { Disguise } from '../../../simulator/record/disguise/disguise';
import { disguisedConfig } from '../../../simulator/record/disguise/guest-config';
import { disguisedVolid } from '../../../simulator/record/disguise/volume-id';
import { optionsOf } from '../../../simulator/record/world/storage-options';
import { Reader } from '../../../simulator/record/server/reader';

const disguise = new Disguise('seed', new Set());

it('leaves out or replaces every part of a configuration that is not known to be harmless', () => {
  const left: string[] = [];
  const config = disguisedConfig(
    disguise,
    {
      cpu: 'custom-ACME,flags=+aes;-pcid,hv-vendor-id=ACMEvendor',
      ide0: 'local:100/vm-100-disk-0.raw,model=ACMEdisk,size=4G,tale=ACME',
      scsi1: 'local:iso/ACME plan.iso',
      hostpci0: '0000:01:00,pcie=1,romfile=ACME.rom',
      net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=7',
      net1: 'name=wg-ACME,hwaddr=ACME',
      ipconfig0: 'gw6=fe80::211:22ff:fe33:4455',
      cores: 'ACME "4"',
      agent: 'enabled=1,label=ACME',
      boot: 'order=scsi0;net0',
      timezone: 'Europe/ACME',
      hotplug: 'network,disk,usb',
    },
    what => left.push(what),
  );
  expect(JSON.stringify(config)).not.toMatch(/ACME|211:22ff|33:4455/);
  expect(config).toMatchObject({
    boot: 'order=scsi0;net0',
    agent: 'enabled=1',
    hotplug: 'network,disk,usb',
    net0: expect.stringMatching(/^virtio=BC:24:11:.*,bridge=vmbr0,tag=7$/),
    hostpci0: expect.stringMatching(/^0000:01:00,pcie=1,romfile=file-\w+$/),
    ipconfig0: expect.stringMatching(/^gw6=fe80:0:0:0:/),
    cpu: expect.stringMatching(/^custom-cpu-\w+,flags=\+aes;-pcid,hv-vendor-id=id\w+$/),
  });
  expect(left.sort()).toEqual(
    ['cores', 'hwaddr of net1', 'label of agent', 'scsi1', 'tale of ide0', 'timezone'].sort(),
  );
});

it('keeps no ending of a file that is a word of its own, and no address that is made of a MAC address', () => {
  expect(disguisedVolid(disguise, 'local:snippets/x.acme')).toMatch(/^local:snippets\/file-\w+$/);
  expect(disguisedVolid(disguise, 'local:iso/x.iso')).toMatch(/^local:iso\/file-\w+\.iso$/);
  expect(disguisedIp('fe80::211:22ff:fe33:4455', () => Buffer.of(1))).toBe('fe80:0:0:0:fdee:dd00:1cc:bbaa');
});

it('leaves out the options of a storage that may hold a login, and says so', () => {
  const remarks: string[] = [];
  const reader = new Reader(new URL('https://127.0.0.1:1'), {}, { id: 'a@pve!t', secret: 's' });
  const row = {
    type: 'cifs',
    storage: 'far',
    options: 'username=jane,password=hush',
    'content-dirs': 'iso=acme',
  };
  const source = { reader, disguise, remark: (text: string) => remarks.push(text) };
  const options = optionsOf(source, 'far', {
    ...row,
    smbversion: '3.0',
    'prune-backups': 'keep-last=2,x=acme',
  });
  expect(options).toEqual({ smbversion: '3.0', 'prune-backups': 'keep-last=2' });
  expect(remarks).toEqual([
    'the storage far: left out of its options: content-dirs, options, x of prune-backups',
  ]);
});
