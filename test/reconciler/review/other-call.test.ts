import { otherCallOf } from '../../../reconciler/review/plan/other-call';

const gone = (module: string, owner = 'o') => machine(module, 'gone', owner);
const comes = (module: string, owner = 'o') => machine(module, 'new', owner);

function machine(module: string, entry: 'gone' | 'new' | 'kept', owner: string) {
  const values = { triggers_replace: { owner } };
  const [before, after] = entry === 'new' ? [null, values] : [values, null];
  const label = { address: `${module}.terraform_data.machines["web"]`, type: 'terraform_data' };
  return {
    ...{ id: 'web', module, cluster: 'lab' },
    entry: { ...label, mode: 'managed', name: 'machines', change: { actions: [], before, after } },
    entryChange: { entry, spared: undefined },
  };
}

/** The other call of the first of these. */
function first(...all: ReturnType<typeof machine>[]): string | undefined {
  const [one] = all;
  return one && otherCallOf(one, all);
}

test('a call that got another name is known from both of its sides', () => {
  expect(first(gone('module.lab'), comes('module.prod'))).toBe('module.prod');
  expect(first(comes('module.prod'), gone('module.lab'))).toBe('module.lab');
});

test('of several instances each is that of its key; without one, nothing is guessed', () => {
  const comesTwice = [comes('module.prod["a"]'), comes('module.prod["b"]')];
  expect(first(gone('module.lab["b"]'), ...comesTwice)).toBe('module.prod["b"]');
  expect(first(gone('module.lab'), ...comesTwice)).toBeUndefined();
  expect(first(gone('module.lab'), comes('module.prod["a"]'))).toBe('module.prod["a"]');
});

test.each([
  ['another owner', comes('module.prod', 'other')],
  ['another machine', { ...comes('module.prod'), id: 'db' }],
  ['another cluster', { ...comes('module.prod'), cluster: 'edge' }],
  ['one that leaves too', gone('module.prod')],
  ['one that was there', machine('module.prod', 'kept', 'o')],
  ['one of a stack', comes('')],
])('%s is no other name of the call', (_, other) => {
  expect(first(gone('module.lab'), other)).toBeUndefined();
});
