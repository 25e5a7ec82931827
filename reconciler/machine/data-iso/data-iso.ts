import { createHash } from 'node:crypto';
import { isoImage, type IsoFile } from './iso-image';
import { networkConfig, type Card } from './network-config';
import { cloudConfig, userDataText, yamlOf, type Data, type PlainFields } from './user-data';
import { canonical, isRecord, type MachineSpec } from '../../../spec';

/** Everything that the ISO of a machine is made of. */
export interface DataIsoInput {
  /** The guest's uuid: another guest is another instance to cloud-init. */
  uuid: string;
  hostname: string;
  userData?: Data | undefined;
  vendorData?: Data | undefined;
  metaData?: Data | undefined;
  networkData?: Data | undefined;
  fields: PlainFields;
  cards: readonly Card[];
  dns?: NonNullable<MachineSpec['cloudInit']>['dns'];
}

export interface DataIso {
  image: Buffer;
  sha256: string;
}

/** The NoCloud ISO of a machine. The same input gives the same bytes. */
export function dataIso(input: DataIsoInput): DataIso {
  const { networkData, vendorData, cards, dns } = input;
  const network = networkData ?? networkConfig(cards, dns);
  const files = [
    file('user-data', 'USERDATA.', userDataText(input.userData, input.fields)),
    file('meta-data', 'METADATA.', metaDataText(input)),
    ...(network === undefined ? [] : [file('network-config', 'NETWORKC.', textOf(network, yamlOf))]),
    ...(vendorData === undefined ? [] : [file('vendor-data', 'VENDORDA.', textOf(vendorData, cloudConfig))]),
  ];
  const image = isoImage('cidata', files);
  return { image, sha256: createHash('sha256').update(image).digest('hex') };
}

/**
 * Another id makes cloud-init set the guest up anew, so it follows from what the user said and from nothing else: not
 * from the name, nor from the cards' MAC addresses or slots.
 */
function instanceId({ uuid, userData, vendorData, metaData, networkData, fields, cards, dns }: DataIsoInput) {
  const addresses =
    networkData === undefined ? saidAddresses(cards.map(({ network }) => network)) : undefined;
  const said = [uuid, userData, vendorData, metaData, networkData, fields, addresses, dns];
  return `pvr-${createHash('sha256').update(canonical(said)).digest('hex').slice(0, 24)}`;
}

/** What of the networks makes the guest another instance. */
export function saidAddresses(networks: readonly Card['network'][]): unknown {
  const rows = networks.map(({ name, staticIP, ipv4, ipv6 }) => ({ name, staticIP, ipv4, ipv6 }));
  return rows.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** What the user says of the meta data wins, key by key. Text that is no JSON stands behind ours: it names other keys. */
function metaDataText(input: DataIsoInput): string {
  const ours = { 'instance-id': instanceId(input), 'local-hostname': input.hostname };
  const metaData = typeof input.metaData === 'string' ? jsonIn(input.metaData) : input.metaData;
  if (metaData === undefined || isRecord(metaData)) return yamlOf({ ...ours, ...metaData });
  const left = Object.entries(ours).filter(
    ([key]) => !new RegExp(`^["']?${key}["']?\\s*:`, 'm').test(metaData),
  );
  return `${left.map(([key, value]) => `${key}: ${value}\n`).join('')}${metaData}`;
}

/** Whether meta data says an instance-id of its own: then it is the user who says when the guest is a new instance. */
export function saysInstanceId(metaData: Data | undefined): boolean {
  const data = typeof metaData === 'string' ? jsonIn(metaData) : metaData;
  return typeof data === 'string'
    ? /^["']?instance-id["']?\s*:/m.test(data)
    : data?.['instance-id'] !== undefined;
}

/** The object that a text of JSON is; any other text as it is. */
function jsonIn(text: string): Data {
  try {
    const json: unknown = JSON.parse(text);
    return isRecord(json) ? json : text;
  } catch {
    return text;
  }
}

function textOf(data: Data, written: (data: Record<string, unknown>) => string): string {
  return typeof data === 'string' ? data : written(data);
}

function file(name: string, short: string, text: string): IsoFile {
  return { name, short, content: Buffer.from(text, 'utf8') };
}
