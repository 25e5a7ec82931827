import { placeFor } from '../../../reconciler/placement/placement';
import {
  GiB,
  listed,
  node,
  resident,
  site,
  wanted,
  type Fields,
} from '../../support/reconciler/placement-site';

const NEIGHBOURS = ['db', 'web', undefined] as const;

/** Which of these neighbours each operator is about, with the values db: one with the value, another value, none. */
const ABOUT = [
  ['In', [true, false, false]],
  ['NotIn', [false, true, false]],
  ['Exists', [true, true, false]],
] as const;

const TABLE = ABOUT.flatMap(([operator, about]) =>
  ['app', 'tag'].flatMap(key =>
    NEIGHBOURS.map((value, index) => [operator, key, value ?? 'nothing', value, about[index]!] as const),
  ),
);

/** What a machine carries for a key: a label, or a tag. */
function carried(key: string, value: string | undefined): Fields {
  if (value === undefined) return {};
  return key === 'tag' ? { tags: [value] } : { labels: { app: value } };
}

describe.each(TABLE)('%s on %s, beside one with %s', (operator, key, _, value, isAbout) => {
  const values = operator === 'Exists' ? undefined : ['db'];
  const ruled = (mode?: 'hard' | 'soft'): Fields => ({
    placement: { antiAffinity: [{ key, operator, values, mode }] },
  });
  // the first node is the one that all would take, were nobody on it
  const beside = (other: Fields, isSmall = false) =>
    site([node('pve1'), node('pve2', isSmall ? { memory: GiB / 4, memoryUsed: 0 } : {})], {
      residents: [resident(other, 'pve1')],
    });
  const placed = (machine: Fields, where: ReturnType<typeof site>) =>
    placeFor(wanted({ memory: '1Gi', node: 'pve1', ...machine }), { guests: [] }, where);

  it.each(['hard', undefined] as const)(
    'a rule that is %s is kept, also where no other node has room',
    mode => {
      const other = carried(key, value);
      expect(placed(ruled(mode), beside(other))).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
      const only = placed(ruled(mode), beside(other, true));
      if (isAbout)
        expect(only).toMatchObject({ detail: expect.stringContaining("kept apart from 'other'") as string });
      else expect(only).toMatchObject({ node: 'pve1' });
    },
  );

  it('a hard rule of the neighbour counts as much', () => {
    const where = beside(ruled('hard'));
    expect(placed(carried(key, value), where)).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
  });

  it('a soft rule chooses between nodes, and gives way where no other has room', () => {
    const other = carried(key, value);
    const free = { ...ruled('soft'), node: undefined };
    // without a node of its own: both have one guest
    const even = site([node('pve1'), node('pve2')], {
      residents: [resident({ ...other, id: 'other' }, 'pve1'), resident({ id: 'plain' }, 'pve2')],
    });
    expect(placed(free, even)).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
    expect(placed(free, beside(other, true))).toMatchObject({ node: 'pve1' });
  });
});

describe.each(TABLE)('%s on %s, together with one with %s', (operator, key, _, value, isAbout) => {
  const values = operator === 'Exists' ? undefined : ['db'];
  const ruled = (mode?: 'hard' | 'soft'): Fields => ({
    placement: { affinity: [{ key, operator, values, mode }] },
  });
  // the second node is the one that none would take, were nobody on it
  const beside = (other: Fields, isSmall = false) =>
    site([node('pve1'), node('pve2', isSmall ? { memory: GiB / 4, memoryUsed: 0 } : {})], {
      residents: [resident(other, 'pve2')],
    });
  const placed = (machine: Fields, where: ReturnType<typeof site>) =>
    placeFor(wanted({ memory: '1Gi', node: 'pve1', ...machine }), { guests: [] }, where);

  it.each(['hard', undefined] as const)(
    'a rule that is %s is kept, and refuses where its node has no room',
    mode => {
      const other = carried(key, value);
      expect(placed(ruled(mode), beside(other))).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
      const full = placed(ruled(mode), beside(other, true));
      if (!isAbout) return expect(full).toMatchObject({ node: 'pve1' });
      expect(full).toMatchObject({
        why: 'no-place',
        detail: expect.stringContaining(
          "pve1: kept together with 'other', on pve2, by affinity; pve2: insufficient resources",
        ) as string,
        remedy: expect.stringContaining('Make room on pve2') as string,
      });
    },
  );

  it('a hard rule of the other counts as much', () => {
    const where = beside(ruled('hard'));
    expect(placed(carried(key, value), where)).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
  });

  it('a soft rule chooses between nodes, and gives way where its node has no room', () => {
    const other = carried(key, value);
    const free = { ...ruled('soft'), node: undefined };
    expect(placed(free, beside(other))).toMatchObject({ node: isAbout ? 'pve2' : 'pve1' });
    expect(placed(free, beside(other, true))).toMatchObject({ node: 'pve1' });
  });
});

test('a guest of nobody is compared by its tags, by each operator', () => {
  const places = ABOUT.map(([operator]) =>
    NEIGHBOURS.map(tag => {
      const values = operator === 'Exists' ? undefined : ['db'];
      const machine = wanted({
        node: 'pve1',
        placement: { antiAffinity: [{ key: 'tag', operator, values }] },
      });
      const guests = [listed(100, 'pve1', { tags: tag === undefined ? [] : [tag] })];
      const choice = placeFor(machine, { guests: [] }, site([node('pve1'), node('pve2')], { guests }));
      return 'node' in choice && choice.node === 'pve2';
    }),
  );
  expect(places).toEqual(ABOUT.map(([, about]) => about));
});

test('a guest of nobody with the tag says the node; several of them, any of their nodes', () => {
  const machine = wanted({
    node: 'pve1',
    placement: { affinity: [{ key: 'tag', operator: 'In', values: ['db'] }] },
  });
  const nodes = ['pve1', 'pve2', 'pve3'].map(name => node(name));
  const placed = (...at: string[]) => {
    const guests = at.map((name, index) => listed(100 + index, name, { tags: ['db'] }));
    const choice = placeFor(machine, { guests: [] }, site(nodes, { guests }));
    return 'node' in choice ? choice.node : choice.detail;
  };
  expect([placed(), placed('pve2'), placed('pve2', 'pve1')]).toEqual(['pve1', 'pve2', 'pve1']);
});
