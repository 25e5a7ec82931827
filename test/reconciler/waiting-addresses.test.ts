import type { ObservedGuest } from '../../reconciler/observed';
import { waitingAddresses } from '../../reconciler/outputs/waiting-addresses';

const UUID = '6f3a5c1e-0000-4000-8000-00000000000a';

/** A guest that runs, and has these keys to read at its next boot. */
const guest = (nextBoot: object, mark: object = {}): ObservedGuest =>
  ({
    vmid: 10_002,
    node: 'pve1',
    power: 'running',
    current: {
      smbios1: `uuid=${UUID}`,
      ide2: 'shared:iso/pvr-x.iso,media=cdrom',
      ipconfig0: 'ip=10.0.0.11/24',
    },
    pending: { smbios1: `uuid=${UUID.toUpperCase()}` },
    mark: { nextBoot, networks: { lan: 'net0' }, ...mark },
  }) as unknown as ObservedGuest;
const END = 'Restart it, or say restart: "whenNeeded" and apply';

test.each([
  ['nothing that waits', guest({}), undefined],
  ['data that says another name alone', guest({ ide2: null }, { keepsData: true }), undefined],
  [
    'other data',
    guest({ ide2: null }),
    `10.0.0.10 is what it has now. With the next restart of guest 10002 on pve1 comes: other cloud-init data, which may give it another address. ${END}`,
  ],
  [
    'another address',
    guest({ ipconfig0: 'ip=10.0.0.10/24' }),
    `10.0.0.10 is what it has now. With the next restart of guest 10002 on pve1 comes: networks[lan] ip=10.0.0.11/24. ${END}`,
  ],
])('%s', (_, there, told) => {
  expect(waitingAddresses(there, ['10.0.0.10'])).toBe(told);
});
