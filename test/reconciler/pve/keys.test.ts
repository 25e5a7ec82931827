import { KEYS } from '../../../reconciler/pve/keys/keys';
import { keyName, keyRow, keysOf } from '../../../reconciler/pve/keys/key-row';
import { LAST_SLOT, PVE_KEYS } from '../../../spec';

/** Parameters of a write that are no keys of a configuration; `cdrom` is another word for ide2. */
const NO_KEYS =
  `archive background_delay bwlimit cdrom delete digest force ha-managed import-working-storage live-restore lock pool
  revert skiplock start storage unique vmid`.split(/\s+/);

describe('the table of keys', () => {
  const known = Object.entries(PVE_KEYS)
    .filter(([name]) => !NO_KEYS.includes(name))
    .map(([name, { last }]): [string, number | undefined] => [
      last === undefined || name.endsWith('[n]') ? name : `${name}[n]`,
      last,
    ]);

  it('has a row for each key that a spec knows of, and none besides', () => {
    expect(Object.keys(KEYS).sort()).toEqual(known.map(([name]) => name).sort());
  });

  it.each(known)('%s is numbered up to %s, as in the spec', (name, last) => {
    expect(KEYS[name]?.last).toBe(last);
  });

  it('knows the slots of the buses as the spec does', () => {
    const ends = Object.entries(LAST_SLOT).map(
      ([bus, last]) => keysOf(`${bus}[n]`).at(-1) === `${bus}${last}`,
    );
    expect(ends).toEqual([true, true, true, true]);
  });

  it.each([
    ['net3', 'net[n]'],
    ['numa', 'numa'],
    ['numa0', 'numa[n]'],
    ['audio0', 'audio0'],
    ['toString', 'toString'],
  ])('%s has the row of %s', (key, name) => {
    expect(keyName(key)).toBe(name);
  });

  it('says nothing of what is no key', () => {
    expect([keyRow('toString'), keyRow('constructor'), keyRow('lock')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('says of each key with a privilege by value that it is a drive, or a device', () => {
    const byValue = Object.entries(KEYS).filter(([, { privilege }]) => privilege === 'by value');
    const others = byValue.filter(([, { volume }]) => volume === undefined).map(([name]) => name);
    expect(others).toEqual(['hostpci[n]', 'serial[n]', 'usb[n]', 'virtiofs[n]']);
  });
});
