import { idsOf } from '../mark/identity';
import { dataIso, type DataIso } from './data-iso/data-iso';
import { dataIsoName, isDataIsoOf } from './data-iso/data-iso-name';
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
  const cards = cardsOf(scene);
  const { data } = context.wanted.secrets;
  if (!wantsDataIso(scene) || place === undefined || cards === undefined || data === undefined)
    return undefined;
  if (mark?.dataIsoPlaces?.includes(place.place) !== true) return undefined;
  const { user, sshKeys, upgradePackages, dns, passwordVersion = 1 } = spec.cloudInit ?? {};
  const password = context.wanted.secrets.hashedWith?.(`${scene.uuid}/${passwordVersion}`);
  const iso = dataIso({
    ...data,
    uuid: scene.uuid,
    hostname: spec.name ?? spec.id,
    fields: { user, password, sshKeys, upgradePackages },
    cards,
    dns,
  });
  const name = dataIsoName(context.wanted.identity.owner, spec.id, iso.sha256);
  return { ...iso, place, volume: `${place.storage}:iso/${name}` };
}

/** Undefined: not every card has its MAC address yet. */
function cardsOf({ spec, slots, next }: Scene): Card[] | undefined {
  const cards: Card[] = [];
  for (const network of spec.networks ?? []) {
    const slot = slots.networks[network.name];
    const mac = network.macAddress ?? propertiesOf('net0', next[slot ?? '']).macaddr;
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
