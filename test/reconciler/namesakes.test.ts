import { Namesakes, namesakeText, staysForNamesakes } from '../../reconciler/run/reads/namesakes';
import { ownerTag } from '../../reconciler/mark/owner-tag';
import type { ListedGuest } from '../../reconciler/observed';
import { parseDesiredState } from '../../spec';

/** Which machines an orphan may be, and the ways that are told: none that does not work. */
const state = (cluster: string, owner: string, ...machines: object[]) => {
  const parsed = parseDesiredState({ version: 1, owner, cluster: { name: cluster }, machines });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.value;
};
const machine = (id: string, more: object = {}) => ({ id, image: { blank: true }, ...more });
const guest = (vmid: number, more: Partial<ListedGuest> = {}): ListedGuest => ({
  ...{ vmid, node: 'pve1', type: 'qemu', name: `vm-${vmid}`, tags: [], template: false, power: 'running' },
  ...{ lock: undefined, pool: undefined, haManaged: false, memory: 0 },
  ...more,
});
const orphan = { owner: 'team/east', machine: 'web', vmid: 555, node: 'pve1' };
const place = { cluster: 'east', guests: [guest(555, { name: 'www' })] };

const west = state('west', 'team/west', machine('web'));

test('the likeliest is named first: the one of its owner on its cluster', () => {
  const edited = state('east', 'team/east', machine('web2', { vmid: 555 }));
  const found = new Namesakes([west, edited]).of(orphan, place);
  expect(found.map(each => [each.machine, each.cluster, each.has])).toEqual([
    ['web2', 'east', 'number'],
    ['web', 'west', 'id'],
  ]);
  expect(staysForNamesakes(orphan, found, place)).toMatch(
    /^machine web2 of team\/east is wanted and has its number; machine web of team\/west is wanted and has its id: .*set the edit back, or give web2 formerIds: \["web"\] before it is made\. /,
  );
});

test('of one machine on two clusters, that of its own cluster comes first', () => {
  const both = ['west', 'east'].map(name => state(name, 'team/east', machine('web2', { name: 'www' })));
  expect(new Namesakes(both).of(orphan, place).map(({ cluster }) => cluster)).toEqual(['east', 'west']);
});

test('a number is one of its own cluster, and a name counts without its capital letters', () => {
  const others = new Namesakes([state('west', 'team/west', machine('db', { vmid: 555 }))]);
  expect(others.of(orphan, place)).toEqual([]);
  const named = new Namesakes([state('west', 'team/west', machine('db', { name: 'WWW' }))]);
  expect(named.of(orphan, place)).toMatchObject([{ machine: 'db', has: 'name' }]);
  expect(namesakeText([])).toBeUndefined();
});

test('a move is told where the machine is not there yet, and only on its cluster', () => {
  const moved = state('east', 'shop/east', machine('web'));
  const told = (guests: ListedGuest[]) =>
    staysForNamesakes(orphan, new Namesakes([moved]).of(orphan, { ...place, guests }), { ...place, guests });
  expect(told(place.guests)).toContain(
    ', or move it: pve-reconciler owner move team/east shop/east web --cluster east.',
  );
  const both = [...place.guests, guest(556, { tags: [ownerTag('shop/east', 'web')] })];
  expect(told(both)).toContain('Then set the edit back. Where');
  expect(staysForNamesakes(orphan, new Namesakes([west]).of(orphan, place), place)).toContain(
    'Then set the edit back. Where',
  );
});

test('one owner on two clusters: no formerIds for the id that it has', () => {
  const same = new Namesakes([state('west', 'team/east', machine('web'))]);
  expect(staysForNamesakes(orphan, same.of(orphan, place), place)).not.toContain('formerIds');
});

test('the template of an image is no machine that somebody edits', () => {
  const wanted = new Namesakes([state('east', 'team/east', machine('debian'))]);
  const old = { ...orphan, machine: 'debian-0123456789' };
  const at = { ...place, guests: [guest(555, { name: 'debian', template: true })] };
  expect(wanted.of(old, at)).toHaveLength(1);
  expect(wanted.of({ ...old, isOfImage: true }, at)).toEqual([]);
});
