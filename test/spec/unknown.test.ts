import { canonical, parseMachine, unknownPaths } from '../../spec';
import { machine, state, stateProblems } from './sample';
import { parseDesiredState } from '../../spec';

const unknown = (expression = 'null_resource.db.id') => ({ $unknown: expression });

function deferred(said: Record<string, unknown>) {
  const parsed = parseMachine(machine(said));
  if (parsed.ok || !parsed.deferred) throw new Error(JSON.stringify(parsed));
  return parsed;
}

describe('a value that is not known before apply', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a number', { vmid: unknown() }, ['machines[web].vmid']],
    ['deeper', { cpu: { cores: unknown(), sockets: 2 } }, ['machines[web].cpu.cores']],
    ['one of two shapes', { agent: unknown() }, ['machines[web].agent']],
    [
      'inside one of two shapes',
      { waitFor: { address: { cidr: unknown() } } },
      ['machines[web].waitFor.address.cidr'],
    ],
    ['the image source', { image: { template: unknown() } }, ['machines[web].image.template']],
    ['what another field needs', { pin: true, node: unknown() }, ['machines[web].node']],
    ['an entry of a set', { tags: ['a', unknown()] }, ['machines[web].tags[1]']],
    ['a whole entry', { disks: [unknown(), { name: 'data', size: '1G' }] }, ['machines[web].disks[0]']],
    ['a name', { disks: [{ name: unknown(), size: '1G' }] }, ['machines[web].disks[0].name']],
    ['a label', { labels: { role: unknown() } }, ['machines[web].labels.role']],
    ['two of them', { node: unknown(), memory: unknown() }, ['machines[web].memory', 'machines[web].node']],
  ])('%s is deferred, not refused', (_, said, paths) => {
    const { problems } = deferred(said);
    expect(problems.map(({ path }) => path).sort()).toEqual(paths);
    for (const problem of problems) {
      expect(problem).toMatchObject({ kind: 'unknown-value', reason: 'is unknown until apply' });
      expect(problem.remedy).toContain('null_resource.db.id');
    }
  });

  test('stays where it stood, while the rest is parsed', () => {
    const said = {
      memory: '4Gi',
      node: unknown('a'),
      tags: ['b', unknown('t'), 'a'],
      disks: [
        { name: 'root', size: '20G', storage: unknown('s') },
        { name: unknown('n'), size: '1G' },
        { name: 'data', size: '2G' },
      ],
    };
    expect(deferred(said).value).toEqual({
      id: 'web',
      image: { blank: true },
      memory: 4 * 2 ** 30,
      node: unknown('a'),
      tags: ['a', unknown('t'), 'b'],
      disks: [
        { name: 'root', size: 20 * 2 ** 30, storage: unknown('s') },
        { name: unknown('n'), size: '1G' },
        { name: 'data', size: 2 * 2 ** 30 },
      ],
    });
  });

  test('does not hide what is wrong', () => {
    const parsed = parseMachine(
      machine({ node: unknown(), cpu: { cores: 3, threadsPerCore: 2 }, memroy: 1 }),
    );
    expect(parsed).toMatchObject({ ok: false, deferred: false });
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual([
      'machines[web].memroy',
      'machines[web].cpu.cores',
      'machines[web].node',
    ]);
  });

  test('in one machine of a document is told for that machine', () => {
    const parsed = parseDesiredState(
      state({ machines: [machine(), machine({ id: 'db', vmid: unknown() })] }),
    );
    expect(parsed).toMatchObject({ ok: false, deferred: true });
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual(['machines[db].vmid']);
  });

  test('keeps the indices of what is told about other machines', () => {
    const problems = stateProblems({
      machines: [
        machine({ id: unknown() }),
        machine({ id: 'b', vmid: 100 }),
        machine({ id: 'c', vmid: 100 }),
      ],
    });
    expect(problems.map(({ path }) => path)).toEqual(['machines[c].vmid', 'machines[0].id']);
  });

  test('for the owner of a document lets the rest be checked', () => {
    const owner = unknown('terraform.workspace');
    expect(parseDesiredState(state({ owner }))).toMatchObject({ ok: false, deferred: true });
    const problems = stateProblems({
      owner,
      machines: [machine({ vmid: 100 }), machine({ id: 'b', vmid: 100 })],
    });
    expect(problems.map(({ path }) => path)).toEqual(['machines[b].vmid', 'owner']);
  });

  test('for the id of a machine defers the machine as it was given', () => {
    const said = machine({ id: unknown(), memory: '1Gi' });
    expect(parseMachine(said)).toMatchObject({ ok: false, deferred: true, value: said });
  });

  test('can be parsed once more when it is known, to the same as if it always was', () => {
    const { value } = deferred({ node: unknown(), memory: '1Gi', tags: ['b', 'a'] });
    const known = parseMachine({ ...(value as object), node: 'pve1' });
    expect(known).toEqual(parseMachine(machine({ node: 'pve1', memory: '1Gi', tags: ['b', 'a'] })));
  });

  test('is found anywhere', () => {
    expect(
      unknownPaths({ a: [1, unknown('x')], b: { c: unknown('y') }, d: { $unknown: 1 }, e: null }),
    ).toEqual([
      { path: ['a', 1], expression: 'x' },
      { path: ['b', 'c'], expression: 'y' },
    ]);
  });

  test('has a canonical form as everything else', () => {
    expect(canonical({ b: unknown('x'), a: 1 })).toBe('{"a":1,"b":{"$unknown":"x"}}');
  });
});
