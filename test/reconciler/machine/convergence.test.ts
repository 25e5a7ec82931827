import type { Action } from '../../../reconciler/action';
import type { MachineSpec } from '../../../spec';
import { parseMachine } from '../../../spec';
import { GuestModel } from '../../support/reconciler/guest-model';
import { WANTED_FIELDS, type WantedField } from '../../support/spec/machine-fields';
import { cluster, planContext, planMachine } from '../../support/reconciler/observed';
import { dice, some, type Roll } from '../../support/random/dice';
import { withWanted } from '../../support/spec/with-field';

type Json = Record<string, unknown>;

const BASE: Json = {
  id: 'web',
  image: { blank: true },
  disks: [
    { name: 'root', size: '8Gi', storage: 'slow' },
    { name: 'data', size: '4Gi', storage: 'slow' },
  ],
  networks: [{ name: 'lan' }, { name: 'second', bridge: 'vmbr0' }],
  restart: 'whenNeeded',
};
const TEMPLATE = {
  name: 'debian',
  template: '1',
  boot: 'order=scsi0',
  cores: '2',
  memory: '2048',
  smbios1: 'uuid=11111111-0000-4000-8000-000000000000,manufacturer=QEMU',
  scsi0: 'slow:base-9000-disk-0,size=3G',
  ide2: 'slow:vm-9000-cloudinit,media=cdrom',
  net0: 'virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1',
  net1: 'virtio=BC:24:11:00:00:02,bridge=vmbr9',
  net2: 'virtio=BC:24:11:00:00:03,bridge=vmbr9',
  agent: 'enabled=1',
};
const source = { node: 'pve1', vmid: 9000, name: 'debian', template: true, config: TEMPLATE };

function planOf(spec: MachineSpec, guest: GuestModel) {
  const cloned = spec.image?.template !== undefined;
  return planMachine(spec, guest.observe(), cluster(), planContext(cloned ? { source } : {}));
}

/** Which card of a guest that is taken over is which, its address tells. */
function withAddresses(spec: MachineSpec): MachineSpec {
  if (spec.adopt !== true || spec.networks === undefined) return spec;
  const networks = spec.networks.map((network, at) =>
    at < 3 ? { ...network, macAddress: `BC:24:11:00:00:0${at + 1}` } : network,
  );
  return { ...spec, networks };
}

/** Plans and carries out until nothing is left; gives the rounds. */
function settle(spec: MachineSpec, guest: GuestModel): Action[][] {
  const rounds: Action[][] = [];
  for (;;) {
    const { actions, refusals } = planOf(spec, guest);
    expect(refusals).toEqual([]);
    if (actions.length === 0) return rounds;
    rounds.push(actions);
    if (rounds.length > 6) throw new Error(`does not converge: ${JSON.stringify(rounds.slice(-2))}`);
    for (const action of actions) guest.carryOut(action);
  }
}

function specWith(row: WantedField, value: unknown): MachineSpec | undefined {
  const result = parseMachine(withWanted(BASE, row, value));
  return result.ok ? result.value : undefined;
}

/** A spec of many random fields that contradict nothing. */
function randomSpec(roll: Roll, over: Json): MachineSpec {
  let spec = { ...over, ...randomDevices(roll, over) };
  for (let i = 0; i < 10; i += 1) {
    const row = CHANGEABLE[roll(CHANGEABLE.length)];
    if (row) spec = withWanted(spec, row, row.values[roll(row.values.length)]);
  }
  const result = parseMachine(spec);
  // The hardware that a guest has unless it is said: the same as of one from nothing
  const fits = parseMachine({ ...spec, image: { blank: true }, adopt: false }).ok;
  // Fields that contradict each other: another throw
  return result.ok && fits ? result.value : randomSpec(roll, over);
}

/** The devices of the base in any order, with some more that come and go. */
function randomDevices(roll: Roll, over: Json): Json {
  const shuffled = (devices: Json[]): Json[] =>
    devices
      .map(device => ({ device, at: roll(1000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ device }) => device);
  const disks = [
    { name: 'logs', size: '2Gi', storage: 'slow', onRemove: 'delete' },
    { name: 'cache', size: '1Gi', type: 'virtio' },
    { name: 'old', size: '1Gi', storage: 'fast', type: 'sata' },
    { name: 'fixed', size: '1Gi', storage: 'fast', slot: 'scsi7', onRemove: 'delete' },
    { name: 'theirs', existingVolume: 'fast:vm-101-disk-77' },
  ];
  const networks = [{ name: 'third', bridge: 'vmbr3', ipv4: 'dhcp' }, { name: 'mgmt' }];
  return {
    disks: shuffled([...(over.disks as Json[]), ...some(roll, disks)]),
    networks: shuffled([...(over.networks as Json[]), ...some(roll, networks)]),
  };
}

/** What a guest is created with and cannot change: left out where one guest is to follow two specs. */
const ONLY_AT_CREATE = [
  'disks[data].size',
  'secureBoot',
  'efiDisk.type',
  'efiDisk.microsoftCertificates',
  'tpm.version',
];
const CHANGEABLE = WANTED_FIELDS.filter(({ field }) => !ONLY_AT_CREATE.includes(field));

describe('one field', () => {
  it.each(WANTED_FIELDS.map((row): [string, WantedField] => [row.field, row]))('%s', (_, row) => {
    const specs = row.values.map(value => specWith(row, value));
    const guest = new GuestModel(101);
    specs.forEach((spec, index) => {
      if (!spec) throw new Error(`the value ${JSON.stringify(row.values[index])} is refused`);
      const { changes, waiting } = planOf(spec, guest);
      if (index === 1) expect(changes).not.toEqual([]);
      const named = [...changes, ...waiting].map(({ field }) => field);
      const told = row.told ?? row.field;
      if (index > 0 && guest.done.length > 0) {
        expect(named.filter(field => !field.startsWith(told) && !told.startsWith(field))).toEqual([]);
      } else {
        expect(named.some(field => field.startsWith(told) || told.startsWith(field))).toBe(true);
      }
      settle(spec, guest);
      expect(planOf(spec, guest)).toMatchObject({ changes: [], actions: [], waiting: [] });
    });
  });
});

describe('two specs, one after the other', () => {
  // `npm run test:campaign:unit` follows more
  const pairs = Number(process.env['PAIRS'] ?? 2);
  const seeds = (first: number) => Array.from({ length: 10 }, (_, index) => first + index * 20);
  const settled = { machine: 'web', changes: [], actions: [], refusals: [] };

  it.each(seeds(1))(`from nothing, ${pairs} seeds from %i`, first => {
    for (let seed = first; seed < first + pairs; seed += 1) follow(seed, new GuestModel(101), BASE);
  });

  it.each(seeds(1001))(`by clone, ${pairs} seeds from %i`, first => {
    const base = { ...BASE, image: { template: 'debian' } };
    for (let seed = first; seed < first + pairs; seed += 1) follow(seed, new GuestModel(101, TEMPLATE), base);
  });

  it.each(seeds(2001))(`adopted, ${pairs} seeds from %i`, first => {
    for (let seed = first; seed < first + pairs; seed += 1) {
      const guest = new GuestModel(101);
      const { template: _, ...config } = TEMPLATE;
      guest.put({ ...config, scsi0: 'slow:vm-101-disk-0,size=8G' }, seed % 2 === 0 ? 'running' : 'stopped');
      follow(seed, guest, { ...BASE, vmid: 101, adopt: true });
    }
  });

  function follow(seed: number, guest: GuestModel, base: Json): void {
    const roll = dice(seed);
    const policy = { restart: seed % 3 === 0 ? 'never' : 'whenNeeded' };
    const [said, next] = [1, 2].map(() => ({ ...randomSpec(roll, base), ...policy }) as MachineSpec);
    const first = said && withAddresses(said);
    // what stays protected keeps its drives: here they may go
    const second = first?.protection === true ? { ...next, protection: false } : next;
    for (const spec of [first, second] as MachineSpec[]) {
      settle(spec, guest);
      const { waiting, restart, warnings = [], ...plan } = planOf(spec, guest);
      expect({ seed, ...plan }).toEqual({ seed, ...settled });
      // what a boot brings is told as long as it waits
      const told = warnings.filter(({ about }) => waiting.length === 0 || about !== 'a new instance');
      expect({ seed, told }).toEqual({ seed, told: [] });
      expect({ seed, restart }).toEqual({ seed, restart: waiting.length > 0 ? 'later' : undefined });
      if (spec.restart === 'whenNeeded') expect({ seed, waiting }).toEqual({ seed, waiting: [] });
    }
  }
});
