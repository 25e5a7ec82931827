import { propertiesOf } from '../guest/configuration';
import type { Need, Subject } from './need';
import { onGuest, onPath, onlyRoot } from './need';

type Row = (key: string, text: string, subject: Subject) => Need[];

/** What devices of the host ask for, by the key and what stands in it. */
const ROWS: readonly (readonly [RegExp, Row])[] = [
  [/^serial\d+$/, (key, text, guest) => (text === 'socket' ? [hardware(key, guest)] : [onlyRoot(key)])],
  [/^usb\d+$/, usb],
  [/^hostpci\d+$/, hostPci],
  [/^virtiofs\d+$/, directory],
];

/** What it takes to give a guest a device, or to take it away; undefined: the key is no such device. */
export function deviceNeeds(key: string, text: string, subject: Subject): Need[] | undefined {
  return ROWS.find(([pattern]) => pattern.test(key))?.[1](key, text, subject);
}

function hardware(key: string, subject: Subject): Need {
  return onGuest(key, subject, 'VM.Config.HWType');
}

function usb(key: string, text: string, subject: Subject): Need[] {
  const { host, mapping } = propertiesOf(key, text);
  if (host !== undefined && !/^spice$/i.test(String(host))) return [onlyRoot(key)];
  return [hardware(key, subject), ...mapped(key, 'usb', mapping)];
}

function hostPci(key: string, text: string, subject: Subject): Need[] {
  const { host, mapping, romfile } = propertiesOf(key, text);
  if (host !== undefined || romfile !== undefined) return [onlyRoot(key)];
  return [hardware(key, subject), ...mapped(key, 'pci', mapping)];
}

function directory(key: string, text: string, subject: Subject): Need[] {
  return [onGuest(key, subject, 'VM.Config.Disk'), ...mapped(key, 'dir', propertiesOf(key, text).dirid)];
}

function mapped(key: string, kind: string, name: string | number | boolean | undefined): Need[] {
  return name === undefined ? [] : [onPath(key, `/mapping/${kind}/${String(name)}`, 'Mapping.Use')];
}
