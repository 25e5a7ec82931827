import { idsOf } from '../mark/identity';
import { dataIso, saysInstanceId, type DataIso } from './data-iso/data-iso';
import { dataIsoName, isDataIsoOf, rememberedAs } from './data-iso/data-iso-name';
import type { Card } from './data-iso/network-config';
import { hasOwnData } from '../../spec';
import { propertiesOf } from '../guest/configuration';
import { readDrive } from '../guest/drive';
import type { IsoFacts } from './facts';
import type { Scene } from './scene';

/** The ISO that a machine is to have. */
export interface WantedIso extends DataIso {
  place: IsoPlace;
  volume: string;
}

export interface IsoPlace {
  storage: string;
  /** As in the mark: the storage, with the node where other nodes have another one of that name. */
  place: string;
}

/** Whether the spec gives cloud-init data of its own, so that the guest gets an ISO of ours. */
export function wantsDataIso({ spec }: Pick<Scene, 'spec'>): boolean {
  return hasOwnData(spec.cloudInit);
}

type IsoScene = Pick<Scene, 'spec' | 'mark' | 'context' | 'node'>;

/** Where ISOs may be and are. Undefined: it has none and wants none, or that is not known. */
export function isosOf({ spec, mark, context, node }: IsoScene): IsoFacts | undefined {
  const hasNone = !hasOwnData(spec.cloudInit) && (mark?.dataIsoPlaces ?? []).length === 0;
  return hasNone ? undefined : context.facts.ask('isos', node);
}

/** The storage for the ISO: the one that the spec names, else the one in use, else a shared one. Undefined: none is known. */
export function isoPlace(scene: IsoScene): IsoPlace | undefined {
  const { spec, mark } = scene;
  const isos = isosOf(scene);
  if (isos === undefined) return undefined;
  const named = spec.cloudInit?.storage;
  const sorted = [...isos.storages].sort(
    (one, other) => Number(other.shared) - Number(one.shared) || (one.name < other.name ? -1 : 1),
  );
  const places = sorted.map(({ name, shared }) => ({
    storage: name,
    place: shared ? name : `${name}@${isos.node}`,
  }));
  const used = (mark?.dataIsoPlaces ?? []).flatMap(place => places.find(one => one.place === place) ?? []);
  return named === undefined ? [...used, ...places][0] : places.find(({ storage }) => storage === named);
}

/**
 * The ISO that the guest is to have now. Undefined: none is wanted, or it cannot be made yet: a card has no MAC
 * address, or the mark does not say yet where the ISO will be.
 */
export function wantedIso(scene: Scene): WantedIso | undefined {
  const { spec, context, mark } = scene;
  const place = isoPlace(scene);
  if (!wantsDataIso(scene) || place === undefined) return undefined;
  if (mark?.dataIsoPlaces?.includes(place.place) !== true) return undefined;
  const iso = isoFor(scene, spec.name ?? spec.id, cardsOf(scene));
  if (iso === undefined) return undefined;
  const name = dataIsoName(context.wanted.identity.owner, spec.id, iso.sha256);
  return { ...iso, place, volume: `${place.storage}:iso/${name}` };
}

/** The ISO for a guest of this name with these cards. Undefined: not all that it is made of is known. */
function isoFor({ spec, context, uuid }: Scene, hostname: string, cards: Card[] | undefined) {
  const { data, hashedWith } = context.wanted.secrets;
  if (cards === undefined || data === undefined) return undefined;
  const { user, sshKeys, upgradePackages, dns, passwordVersion = 1 } = spec.cloudInit ?? {};
  const password = hashedWith?.(`${uuid}/${passwordVersion}`);
  const fields = { user, password, sshKeys, upgradePackages };
  return dataIso({ ...data, uuid, hostname, fields, cards, dns });
}

/** Whether the guest is another instance to cloud-init with the data that it is to have. */
export function becomesNewInstance(scene: Scene): boolean {
  return !hasOwnInstanceId(scene) && changesData(scene);
}

/** Whether the meta data says the instance-id: then nobody else decides when it is another one. */
export function hasOwnInstanceId({ context }: Pick<Scene, 'context'>): boolean {
  return saysInstanceId(context.wanted.secrets.data?.metaData);
}

/**
 * Whether more of the data changes than the name, a MAC address or a slot. Then the ISO in its drive is not the one that is
 * made for what it has of these now.
 */
export function changesData(scene: Scene): boolean {
  const { spec, context, mark, next, slots } = scene;
  const { data } = context.wanted.secrets;
  if (!wantsDataIso(scene) || data === undefined) return false;
  const there = rememberedAs(readDrive(next[slots.cloudInit]).file);
  const wanted = rememberedAs(wantedIso(scene)?.volume ?? '');
  // what somebody took out of the drive comes back
  if (there === undefined) return wanted === undefined || mark?.dataIsos?.includes(wanted) !== true;
  if (there === wanted) return false;
  const cards = data.networkData === undefined ? cardsOf(scene, { asTheyAre: true }) : [];
  const names = [next['name'] ?? '', spec.name ?? spec.id];
  return !names.some(name => isoFor(scene, name, cards)?.sha256.startsWith(there));
}

/** Undefined: not every card has its MAC address yet. `asTheyAre`: with those that they have, whatever the spec says. */
function cardsOf({ spec, slots, next }: Scene, { asTheyAre = false } = {}): Card[] | undefined {
  const cards: Card[] = [];
  for (const network of spec.networks ?? []) {
    const slot = slots.networks[network.name];
    const { macaddr } = propertiesOf('net0', next[slot ?? '']);
    const mac = asTheyAre ? macaddr : (network.macAddress ?? macaddr);
    if (slot === undefined || mac === undefined) return undefined;
    cards.push({ network, index: Number(slot.slice('net'.length)), mac: String(mac) });
  }
  return cards;
}

/** Whether a drive's text holds cloud-init data that was made for this machine. */
export function holdsOurData(
  text: string | undefined,
  { spec, context }: Pick<Scene, 'spec' | 'context'>,
): boolean {
  return isDataIsoOf(readDrive(text).file, context.wanted.identity.owner, idsOf(spec));
}
