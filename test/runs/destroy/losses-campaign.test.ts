import { playCase } from '../../support/losses/case';
import { namedIn, namedInJson } from '../../support/losses/named';
import { EVERY } from '../../support/turns';

const ofTheGate = [2, 5, 11];
const seeds = EVERY ? [...ofTheGate, 13, 23, 29, 37] : ofTheGate;

test.each(seeds)('whatever front ends take on the cluster of seed %i was named, and no more', async seed => {
  const { faults, runs, lost } = await playCase(seed);
  expect(faults).toEqual([]);
  expect(runs).toBeGreaterThan(3);
  expect(lost).toBeGreaterThan(0);
});

test('what a text or a document names is found in it', () => {
  const text =
    'it is destroyed with its disks (root 1Gi local:1/vm-1-disk-0.raw, logs nas:vm-1-disk-1) and its snapshots (a, b with its memory).';
  const named = ['volume local:1/vm-1-disk-0.raw', 'volume nas:vm-1-disk-1', 'snapshot a', 'snapshot b'];
  expect([...namedIn(text)]).toEqual(named);
  const list = 'LOST: volume data 5G nas:vm-1-disk-1 that was kept, snapshot a, snapshot b with its memory';
  expect([...namedIn(list)]).toEqual(named.slice(1));
  const losses = {
    volumes: [{ volume: 'local:1/vm-1-disk-0.raw' }, { volume: 'nas:vm-1-cloudinit', kind: 'cloud-init' }],
    snapshots: [{ name: 'a' }],
  };
  expect([...namedInJson({ machines: [{ losses }] })]).toEqual([named[0], named[2]]);
});
