import { isSecretKey } from '../guest/key-kinds';
import { lossesOf } from '../guest/losses';
import { ownerOfVolume } from '../guest/drive';
import { WHY_LOOK, type Fact, type FactName, type HeldSnapshot, type KnownFacts } from '../machine/facts';
import { ifSeen } from '../observe/if-allowed';
import { readAllGuests, useOfVolumes, type AllGuests } from '../observe/volume-users';
import { maySeeAllGuests, type ObservedGuest, type ObservedMachine } from '../observed';
import { haNeeds } from '../privileges/action-needs';
import { privilegeRefusal } from '../privileges/missing-privileges';
import {
  PveError,
  canSnapshot,
  listMappings,
  listPools,
  listSnapshots,
  listVolumes,
  readHaResource,
  readSnapshot,
  type GuestAddress,
  type Snapshot,
} from '../pve';
import type { ChosenId } from './claim/chosen-id';
import { placeOfNew } from '../run/place/place-of-new';
import { elsewhereOf } from '../run/reads/elsewhere-of';
import { rulesNaming } from '../run/reads/ha-rules';
import { goneVolumes } from '../run/reads/gone-volumes';
import { isosOf, type SeenIsos } from '../run/reads/isos-of';
import { migrationOf } from '../run/reads/migration-of';
import { allGuestsLately, othersUsing } from '../run/reads/others-using';
import type { Run } from '../run/run';
import type { Wanted } from '../run/wanted';

/** What a fact is read with. */
export interface FactSource {
  run: Run;
  wanted: Wanted;
  have: ObservedMachine;
  chosenId: ChosenId;
  seenIsos: SeenIsos;
  toldGone: ReadonlySet<string>;
}

type Reader<N extends FactName> = (source: FactSource, of: string) => Promise<Fact[N] | undefined>;

/** How each fact is read: once for each plan of a machine that asks for it. Undefined: Proxmox does not tell it. */
const READERS: { [N in FactName]: Reader<N> } = {
  place: (source, freed) => placeOf(source, freed),
  node: async ({ run }, name) => {
    await run.reading.learn([name]);
    return run.cluster.nodes.find(node => node.name === name);
  },
  pools: ({ run }) => ifSeen(listPools(run.pve)),
  volumes: ({ run }, of) => volumesOn(run, of),
  mappings: ({ run }, of) => mappingsOf(run, of === 'pci' ? 'pci' : 'usb'),
  volumeUse: async (source, of) => volumeUse(source, of, await readAllGuests(source.run.pve)),
  leavingUse: async (source, of) => volumeUse(source, of, await allGuestsLately(source.run)),
  usedByOthers: async source => {
    const guest = guestOf(source);
    return othersUsing(source.run, guest, lossesOf(guest));
  },
  goneVolumes: (source, why) =>
    goneVolumes(source.run, guestOf(source), {
      isDoubtful: why === WHY_LOOK.inDoubt,
      toldGone: source.toldGone,
    }),
  snapshots: async source => (await listSnapshots(source.run.pve, guestOf(source))).map(heldSnapshot),
  canSnapshot: source => canSnapshot(source.run.pve, guestOf(source)),
  // PVE shows the password there (behaviour.md §6)
  snapshotConfig: async (source, name) =>
    withoutSecrets(await readSnapshot(source.run.pve, guestOf(source), name)),
  snapshotConfigs: source => ifSeen(snapshotConfigs(source)),
  sourceConfig: ({ run }, of) => run.places.reading.configIfThere(addressOf(of)),
  sourceSnapshots: async ({ run }, of) =>
    (await ifSeen(listSnapshots(run.pve, addressOf(of))))?.map(({ name }) => name),
  ha: source => ha(source),
  haRules: source => rulesNaming(source.run.pve, guestOf(source).vmid),
  elsewhere: source => elsewhereOf(source.run.pve, guestOf(source)),
  migration: source => migrationOf(source.run.pve, guestOf(source)),
  isos: ({ run, wanted, have, seenIsos }, node) =>
    isosOf(run, wanted, { node, guest: 'guest' in have ? have.guest : undefined }, seenIsos),
};

/** Reads a fact, and keeps it with the others. */
export async function readFact<N extends FactName>(
  known: KnownFacts,
  name: N,
  of: string,
  source: FactSource,
): Promise<void> {
  known.set(name, of, await READERS[name](source, of));
}

/** `freed`: the id of a machine that is made anew; what the old one takes is free by then. */
function placeOf(source: FactSource, freed: string): Promise<Fact['place']> {
  const { run, wanted, chosenId } = source;
  if (freed === '') return placeOfNew(run, wanted, () => chosenId.get());
  return placeOfNew(run, wanted, () => Number(freed), guestOf(source));
}

function guestOf({ have }: FactSource): ObservedGuest {
  if ('guest' in have && have.guest !== undefined) return have.guest;
  throw new TypeError('a fact was asked of a guest that is not there');
}

function addressOf(text: string): GuestAddress {
  const [node = '', vmid] = text.split('/');
  return { node, vmid: Number(vmid) };
}

/** The volumes that a node sees on a storage that is active there. */
async function volumesOn(run: Run, of: string): Promise<string[] | undefined> {
  const [node = '', storage = ''] = of.split('/');
  // its storages come first, also where they are asked for at the same time
  await run.reading.learn([node]);
  const { pve, cluster } = run;
  const known = cluster.nodes.find(({ name }) => name === node)?.storages;
  const isThere = known?.some(({ name, active }) => name === storage && active) === true;
  return isThere ? (await ifSeen(listVolumes(pve, node, storage)))?.map(({ volid }) => volid) : undefined;
}

/** Undefined where none is seen: an empty list proves nothing (traps 39). */
async function mappingsOf({ pve }: Run, kind: 'pci' | 'usb'): Promise<Fact['mappings'] | undefined> {
  const list = (await ifSeen(listMappings(pve, kind))) ?? [];
  if (list.length === 0) return undefined;
  return Object.fromEntries(list.map(({ id, map }) => [id, map.flatMap(nodeOfEntry)]));
}

function nodeOfEntry(entry: string): string[] {
  const node = /(?:^|,)node=([^,]+)/.exec(entry)?.[1];
  return node === undefined ? [] : [node];
}

function volumeUse({ run, have }: FactSource, of: string, all: AllGuests): Fact['volumeUse'] {
  const own = 'guest' in have ? have.guest?.vmid : undefined;
  const volumes = of.split(' ').map(volume => ({ volume, number: ownerOfVolume(volume) }));
  return useOfVolumes(all, volumes, { own, seesAll: maySeeAllGuests(run.cluster) });
}

async function snapshotConfigs(source: FactSource): Promise<Fact['snapshotConfigs']> {
  const { pve } = source.run;
  const guest = guestOf(source);
  const list = await listSnapshots(pve, guest);
  return Promise.all(list.map(async ({ name }) => ({ name, config: await readSnapshot(pve, guest, name) })));
}

function withoutSecrets(config: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(config).filter(([key]) => !isSecretKey(key)));
}

/** Denied: only where that can be said in better words, with what the caller lacks. */
async function ha(source: FactSource): Promise<Fact['ha']> {
  const { run, wanted } = source;
  try {
    return (await readHaResource(run.pve, guestOf(source).vmid)) ?? 'none';
  } catch (error) {
    const isDenied = error instanceof PveError && error.kind === 'denied';
    if (!isDenied || privilegeRefusal(wanted.spec.id, haNeeds(), run.cluster).length === 0) throw error;
    return 'denied';
  }
}

function heldSnapshot({ name, parent, description, snaptime, vmstate, snapstate }: Snapshot): HeldSnapshot {
  return {
    name,
    parent,
    description: description ?? '',
    taken: snaptime ?? 0,
    hasMemory: vmstate === true,
    isPartial: snapstate !== undefined,
  };
}
