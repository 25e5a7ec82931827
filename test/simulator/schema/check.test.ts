import { Failure } from '../../../simulator/failure';
import type { RawParameters } from '../../../simulator/schema/check';
import { checkParameters } from '../../../simulator/schema/check';
import { ENDPOINTS } from '../../../simulator/schema/endpoint';

const CREATE = 'POST /nodes/{node}/qemu';
const UPDATE = 'PUT /nodes/{node}/qemu/{vmid}/config';
const EXEC = 'POST /nodes/{node}/qemu/{vmid}/agent/exec';

function check(route: string, raw: RawParameters): ReturnType<typeof checkParameters> {
  const endpoint = ENDPOINTS.find(({ method, path }) => `${method} ${path}` === route);
  if (!endpoint) throw new Error(`no such route: ${route}`);
  return checkParameters(endpoint, { node: 'pve1', vmid: '100', ...raw });
}

function errorsOf(route: string, raw: RawParameters): Record<string, string> | undefined {
  try {
    check(route, raw);
  } catch (error) {
    if (error instanceof Failure) return error.errors;
    throw error;
  }
  return undefined;
}

describe('the parameter check', () => {
  it.each<[string, RawParameters, Record<string, string>]>([
    ['a missing one', { vmid: undefined }, { vmid: 'property is missing and it is not optional' }],
    ['null as missing', { vmid: null }, { vmid: 'property is missing and it is not optional' }],
    ['a text for a number', { cores: 'two' }, { cores: "type check ('integer') failed - got 'two'" }],
    ['a fraction for a whole number', { cores: 1.5 }, { cores: "type check ('integer') failed - got '1.5'" }],
    ['a number for a switch', { onboot: '2' }, { onboot: "type check ('boolean') failed - got '2'" }],
    ['a word for a switch', { onboot: 'yes' }, { onboot: "type check ('boolean') failed - got 'yes'" }],
    ['too little', { cores: '0' }, { cores: 'value must have a minimum value of 1' }],
    ['too much', { cpulimit: '129' }, { cpulimit: 'value must have a maximum value of 128' }],
    [
      'a word not in the list',
      { bios: 'x' },
      { bios: "value 'x' does not have a value in the enumeration 'seabios, ovmf'" },
    ],
    ['a pattern', { startdate: 'later' }, { startdate: 'value does not match the regex pattern' }],
    [
      'a long text',
      { description: 'x'.repeat(8193) },
      { description: 'value may only be 8192 characters long' },
    ],
    ['an object', { name: {} }, { name: "type check ('string') failed - got HASH" }],
    ['a list for a text', { name: ['a'] }, { name: "type check ('string') failed - got ARRAY" }],
    ['true for a text', { name: true }, { name: "type check ('string') failed - got JSON::PP::Boolean" }],
    [
      'the index behind the last',
      { net32: 'virtio' },
      { net32: 'property is not defined in schema and the schema does not allow additional properties' },
    ],
    ['a partner that is missing', { force: 1 }, { archive: "missing property required by 'force'" }],
    [
      'a hotplug feature',
      { hotplug: 'disk,x' },
      { hotplug: "invalid format - invalid hotplug feature 'x'\n" },
    ],
    ['one of a list', { tags: 'a;b!' }, { tags: 'invalid format - invalid characters in tag\n' }],
    ['a start order', { startup: 'x=1' }, { startup: 'invalid format - unable to parse startup options\n' }],
    [
      'a boot device',
      { boot: 'order=efidisk0' },
      {
        boot: "invalid format - format error\nboot.order: invalid format - invalid boot device 'efidisk0'\n\n",
      },
    ],
    [
      'a CPU flag',
      { cpu: 'host,flags=+foo' },
      {
        cpu: 'invalid format - VM-specific CPU flags must be a subset of: nested-virt, md-clear, pcid, spec-ctrl, ssbd, ibpb, virt-ssbd, amd-ssbd, amd-no-ssb, pdpe1gb, hv-tlbflush, hv-evmcs, aes\n',
      },
    ],
    [
      'several at once',
      { cores: 'x', zz: 1 },
      {
        cores: "type check ('integer') failed - got 'x'",
        zz: 'property is not defined in schema and the schema does not allow additional properties',
      },
    ],
  ])('names %s', (_, raw, errors) => {
    expect(errorsOf(CREATE, raw)).toEqual(errors);
  });

  it('joins two texts of one parameter with a backslash and an n', () => {
    expect(errorsOf(CREATE, { force: '1', unique: '1' })).toEqual({
      archive: "missing property required by 'force'\\nmissing property required by 'unique'",
    });
  });

  it.each<[string, RawParameters]>([
    ['a number with a sign', { cores: '+2' }],
    ['a number in JSON', { cores: 2, cpulimit: 0.5 }],
    ['a switch in JSON', { onboot: true }],
    ['8192 characters of four bytes', { description: '😀'.repeat(8192) }],
    ['a VM id of nine digits', { vmid: '999999999' }],
    ['a name with dots', { name: 'a.b-c.d' }],
    ['every index', { net31: 'virtio', scsi30: 'local:1', ipconfig31: 'ip=dhcp' }],
    ['an empty list of tags', { tags: '' }],
  ])('lets pass %s', (_, raw) => {
    expect(errorsOf(CREATE, raw)).toBeUndefined();
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('knows no parameter %s', key => {
    const unknown = 'property is not defined in schema and the schema does not allow additional properties';
    const raw = Object.fromEntries([[key, '1']]);
    expect(Object.entries(errorsOf(CREATE, raw) ?? {})).toEqual([[key, unknown]]);
    expect(errorsOf(CREATE, { net0: `virtio,${key}=1` })).toEqual({
      net0: `invalid format - format error\nnet0.${key}: ${unknown}\n`,
    });
  });

  it.each<[string, string, RawParameters, string | undefined]>([
    [
      'an image reference',
      'GET /nodes/{node}/query-oci-repo-tags',
      { reference: `${'a'.repeat(5000)}!` },
      'value does not match the regex pattern',
    ],
    [
      'a name',
      CREATE,
      { name: `${'a-'.repeat(100_000)}!` },
      'invalid format - value does not look like a valid DNS name\n',
    ],
    ['a CPU set', CREATE, { affinity: '0-99999999999' }, undefined],
    ['a list', CREATE, { nameserver: 'a,'.repeat(50_000) }, undefined],
  ])('is done with %s however long', (_, route, raw, text) => {
    expect(errorsOf(route, raw)?.[Object.keys(raw)[0]!]).toBe(text);
  });

  it('gives texts, booleans as 1 and 0', () => {
    const { params } = check(CREATE, { onboot: true, kvm: false, cores: 4, name: 'a' });
    expect(params).toEqual({ node: 'pve1', vmid: '100', onboot: '1', kvm: '0', cores: '4', name: 'a' });
  });

  it('joins a list where a text of a list is wanted, and makes a list of one text', () => {
    expect(check(UPDATE, { delete: ['net0', 'name'] }).params['delete']).toBe('net0,name');
    expect(check(EXEC, { command: 'ls' }).lists).toEqual({ command: ['ls'] });
    expect(check(EXEC, { command: ['ls', '-l'] }).lists).toEqual({ command: ['ls', '-l'] });
  });
});
