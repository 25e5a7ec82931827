import { planMachine } from '../../reconciler/plan';
import { machine } from '../support/machine';
import { cluster, planContext, present } from '../support/observed';

const plan = (spec: Parameters<typeof machine>[0], config: Record<string, string> = {}, fields = {}) =>
  planMachine(machine(spec), present(config, fields), cluster(), planContext());

describe('a machine that is there', () => {
  it('is in sync when nothing else is wanted', () => {
    expect(plan({})).toEqual({ machine: 'web', changes: [], actions: [], refusals: [], waiting: [] });
  });

  it('gets the one field that differs, with its cost', () => {
    const { changes, actions } = plan({ cpu: { cores: 4 } }, { cores: '2' });
    expect(changes).toEqual([{ field: 'cpu.cores', from: '2', to: '4', effect: 'restart' }]);
    expect(actions).toEqual([
      { kind: 'configure', set: { cores: '4' }, delete: [], slow: false, verify: true },
    ]);
  });
});
