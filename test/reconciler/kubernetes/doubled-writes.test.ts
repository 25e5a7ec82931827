import { DoubledWrites } from '../../support/kubernetes/doubled-writes';

const guest = (vmid: number, name: string, vmgenid = `${vmid}-1`) => ({ vmid, config: { name, vmgenid } });
const task = (type: string, vmid: number, exitstatus = 'OK') => ({ type, id: String(vmid), exitstatus });

test('what is made, destroyed and made again is made once at a time', () => {
  const doubled = new DoubledWrites();
  doubled.see([guest(100, 'm1'), guest(101, 'm2')]);
  doubled.see([guest(101, 'm2')]);
  doubled.see([guest(100, 'm1', '100-2'), guest(101, 'm2')]);
  const tasks = [
    task('qmcreate', 100),
    task('qmcreate', 101, 'interrupted by signal'),
    ...[task('qmcreate', 101), task('qmdestroy', 100), task('qmcreate', 100)],
  ];
  expect(doubled.faultsBy(tasks)).toEqual([]);
});

test('a second guest of a name is told, also when it went before the end', () => {
  const doubled = new DoubledWrites();
  doubled.see([guest(100, 'm1'), guest(101, 'm1')]);
  doubled.see([guest(100, 'm1')]);
  expect(doubled.faultsBy([])).toEqual(['m1: is there 2 times, as 100, 101']);
});

test('so is one that was made and went before anybody looked', () => {
  const doubled = new DoubledWrites();
  doubled.see([guest(100, 'm1')]);
  const tasks = [task('qmcreate', 100), task('qmcreate', 101), task('qmdestroy', 101)];
  expect(doubled.faultsBy(tasks)).toEqual(['VM 101: was made 1 times, and 0 of them were seen']);
});

test('so is a guest that was made twice', () => {
  const doubled = new DoubledWrites();
  doubled.see([guest(100, 'm1')]);
  doubled.see([guest(100, 'm1', '100-2')]);
  expect(doubled.faultsBy([task('qmcreate', 100), task('qmcreate', 100)])).toEqual([
    'VM 100: was made twice, and not destroyed between',
  ]);
});
