import fc from 'fast-check';
import { Failure } from '../../../simulator/failure';
import { configFormat } from '../../../simulator/guest/keys/schema';
import { parsePropertyString, printPropertyString } from '../../../simulator/schema/property-string';
import { tries } from '../../support/random/tries';

const net = configFormat('net0')!;
const scsi = configFormat('scsi0')!;

describe('a property string', () => {
  it.each<[string, string, Record<string, string>]>([
    ['takes the default key without its name', 'virtio,bridge=vmbr0', { model: 'virtio', bridge: 'vmbr0' }],
    ['takes it with its name', 'model=virtio,bridge=vmbr0', { model: 'virtio', bridge: 'vmbr0' }],
    [
      'reads model=MAC as two values',
      'e1000=BC:24:11:00:00:01',
      { model: 'e1000', macaddr: 'BC:24:11:00:00:01' },
    ],
    [
      'reads words as booleans',
      'virtio,firewall=yes,link_down=OFF',
      { model: 'virtio', firewall: '1', link_down: '0' },
    ],
    ['skips empty parts', ',,virtio, ,', { model: 'virtio' }],
  ])('%s', (_, text, values) => {
    expect(parsePropertyString(net, text)).toEqual(values);
  });

  it.each<[string, string]>([
    ['virtio,e1000', 'duplicate key in comma-separated list property: model\n'],
    ['bridge=a,bridge=b', 'duplicate key in comma-separated list property: bridge\n'],
    ['virtio,virtio=BC:24:11:00:00:01', "key alias 'model' is already defined\n"],
    ['virtio,bridge=', 'missing key in comma-separated list property\n'],
    ['virtio,=x', 'missing key in comma-separated list property\n'],
  ])('refuses %s', (text, message) => {
    expect(() => parsePropertyString(net, text)).toThrow(message);
  });

  it('names every key that is wrong', () => {
    const errors = errorsOf(() =>
      parsePropertyString(net, 'foo,tag=0,queues=x,macaddr=01:00:00:00:00:00,zz=1'),
    );
    expect(errors).toEqual({
      macaddr: 'invalid format - value does not look like a valid unicast MAC address\n',
      model:
        "value 'foo' does not have a value in the enumeration 'e1000, e1000-82540em, e1000-82544gc, e1000-82545em, e1000e, i82551, i82557b, i82559er, ne2k_isa, ne2k_pci, pcnet, rtl8139, virtio, vmxnet3'",
      queues: "type check ('integer') failed - got 'x'",
      tag: 'value must have a minimum value of 1',
      zz: 'property is not defined in schema and the schema does not allow additional properties',
    });
  });

  it('needs the partner of a key', () => {
    expect(errorsOf(() => parsePropertyString('pve-qm-ipconfig', 'gw=10.0.0.1'))).toEqual({
      ip: "missing property required by 'gw'",
    });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'the default key first, its alias with it, the rest by name',
      { tag: '5', macaddr: 'bc:24:11:00:00:01', model: 'virtio', bridge: 'vmbr0', firewall: '0' },
      'virtio=bc:24:11:00:00:01,bridge=vmbr0,firewall=0,tag=5',
    ],
    ['the default key alone', { model: 'rtl8139' }, 'rtl8139'],
  ])('is printed with %s', (_, values, text) => {
    expect(printPropertyString(net, values)).toBe(text);
  });

  it.each([
    ['1024', '1K'],
    ['540672', '528K'],
    ['1073741824', '1G'],
    ['1099511627776', '1T'],
    ['1000', '1000'],
  ])('prints %s bytes as %s', (bytes, size) => {
    expect(printPropertyString(scsi, { file: 'local:1/x.raw', size: bytes })).toBe(
      `local:1/x.raw,size=${size}`,
    );
  });

  it('refuses to print a value with a comma', () => {
    expect(() => printPropertyString(net, { model: 'virtio', bridge: 'a,b' })).toThrow('format error');
    expect(() => printPropertyString('pve-qm-smbios1', { serial: 'YQ==', uuid: '1' })).toThrow(Failure);
  });

  it('comes back as it was printed', () => {
    const mac = fc
      .array(fc.integer({ min: 0, max: 255 }), { minLength: 5, maxLength: 5 })
      .map(bytes => ['BC', ...bytes.map(byte => byte.toString(16).padStart(2, '0'))].join(':'));
    const values = fc.record(
      {
        model: fc.constantFrom('virtio', 'e1000', 'vmxnet3'),
        macaddr: mac,
        bridge: fc.stringMatching(/^[a-z][a-z0-9._-]{0,14}$/),
        tag: fc.integer({ min: 1, max: 4094 }).map(String),
        rate: fc.float({ min: 0, max: 1000, noNaN: true }).map(rate => String(Math.abs(Math.fround(rate)))),
        firewall: fc.constantFrom('0', '1'),
        queues: fc.integer({ min: 0, max: 64 }).map(String),
        trunks: fc.constantFrom('3', '3;4', '10-20;30'),
      },
      { requiredKeys: ['model'] },
    );
    fc.assert(
      fc.property(values, given => {
        const text = printPropertyString(net, given);
        expect(parsePropertyString(net, text)).toEqual({ ...given });
        expect(printPropertyString(net, parsePropertyString(net, text))).toBe(text);
      }),
      tries(100),
    );
  });

  it('never fails otherwise than Proxmox does', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        try {
          parsePropertyString(net, text);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
      tries(100),
    );
  });
});

function errorsOf(work: () => unknown): Record<string, string> | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure) return error.errors;
    throw error;
  }
  throw new Error('nothing was refused');
}
