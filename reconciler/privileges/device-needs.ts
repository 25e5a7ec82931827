import { propertiesOf } from '../guest/configuration';
import { keyName } from '../pve/keys/key-row';
import { unusedNeeds } from './drive-needs';
import { onGuest, onPath, onlyRoot, type Need, type Subject } from './need';

type NeedsOfKey = (key: string, text: string, subject: Subject) => Need[];

/** What keys ask for whose privilege depends on what they say, drives aside: by their names in the table. */
const ROWS: Readonly<Record<string, NeedsOfKey>> = {
  'hostpci[n]': hostPci,
  'serial[n]': (key, text, guest) => (text === 'socket' ? [hardware(key, guest)] : [onlyRoot(key)]),
  'unused[n]': unusedNeeds,
  'usb[n]': usb,
  'virtiofs[n]': directory,
};

/** What it takes to give a guest a device, or to take it away; nobody but root may where no row says who. */
export function deviceNeeds(key: string, text: string, subject: Subject): Need[] {
  return ROWS[keyName(key)]?.(key, text, subject) ?? [onlyRoot(key)];
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
