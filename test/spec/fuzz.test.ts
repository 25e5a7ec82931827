import * as fc from 'fast-check';
import { formatProblems, parseDesiredState, parseMachine } from '../../spec';
import { arbitraryMachine } from './arbitrary-machine';
import { machine, problemsIn, state } from './sample';
import { tries } from '../support/random/tries';

const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('', -1, 1e21, [], {}, [null], { $unknown: 'x' }, { $unknown: 1 }),
);

test('no JSON makes parsing throw, and what is refused is told', () =>
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.record({ machines: junk, cluster: junk })), json => {
      const parsed = parseDesiredState(json);
      if (!parsed.ok) expect(formatProblems(parsed.problems)).not.toBe('');
    }),
    tries(100),
  ));

test('one field of junk is told at or under that field, or between it and another', () =>
  fc.assert(
    fc.property(arbitraryMachine, junk, fc.nat(), (said, value, pick) => {
      const fields = Object.keys(said).filter(field => field !== 'id');
      const field = fields[pick % fields.length]!;
      const problems = problemsIn(parseMachine({ ...said, [field]: value }));
      for (const { path, reason, remedy } of problems) {
        expect(path).toMatch(new RegExp(String.raw`^machines\[${String(said.id)}\]\.`));
        expect(reason).not.toBe('');
        expect(remedy).not.toBe('');
      }
    }),
    tries(100),
  ));

test('a field named like a method of every object is refused, wherever it stands', () => {
  const names = ['__proto__', 'constructor', 'hasOwnProperty', 'valueOf'];
  for (const name of names) {
    const odd: unknown = JSON.parse(`{"${name}": {"a": 1}}`);
    expect(problemsIn(parseMachine({ ...machine(), ...(odd as object) }))).toHaveLength(1);
    for (const field of ['cpu', 'labels', 'options', 'placement', 'cloudInit']) {
      expect(() => parseMachine(machine({ [field]: odd }))).not.toThrow();
    }
  }
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test('a thousand machines with the same mistake are all told', () => {
  const machines = Array.from({ length: 1000 }, (_, i) => machine({ id: `m${i}`, memroy: 1 }));
  expect(problemsIn(parseDesiredState(state({ machines })))).toHaveLength(1000);
});
