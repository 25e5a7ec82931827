import { reviewPlan } from '../../../reconciler/review/review-plan';
import { differs, planOf } from '../../support/review/plan-document';

const review = (text: string) => reviewPlan(text, 'plan.json');

describe('cloud-init data is told by its lines', () => {
  const changed = differs('live', [{ field: 'cloudInit', from: 'a', to: 'b', effect: 'live' }]);
  const planWith = (was: object, is: object, sensitive = false): string => {
    const json = JSON.parse(planOf({ web: changed }, { spec: { id: 'web', cloudInit: was } })) as {
      resource_changes: { name: string; change: object }[];
      prior_state: {
        values: { root_module: { resources: { mode: string; values: { query: Record<string, string> } }[] } };
      };
    };
    const observer = json.prior_state.values.root_module.resources.find(({ mode }) => mode === 'data')!;
    observer.values.query['spec.web'] = JSON.stringify({ id: 'web', cloudInit: is });
    const revision = json.resource_changes.find(({ name }) => name === 'machine_lab_web')!;
    if (sensitive) Object.assign(revision.change, { after_sensitive: { triggers: { spec: true } } });
    return JSON.stringify(json);
  };
  const notes = (...given: Parameters<typeof planWith>) => review(planWith(...given)).machines[0]?.notes;

  test('lines that go and come, of text and of an object', () => {
    const was = { userData: '#cloud-config\npackages:\n  - nginx\n' };
    expect(notes(was, { userData: '#cloud-config\npackages:\n  - caddy\n' })).toEqual([
      'cloudInit.userData changes in 2 lines:',
      '-   - nginx',
      '+   - caddy',
    ]);
    expect(notes({ userData: { packages: ['a'] } }, { userData: { packages: ['a', 'b'] } })).toEqual([
      'cloudInit.userData changes in 1 line:',
      '+   - b',
    ]);
    expect(notes({ metaData: 'a: 1\nb: 2' }, { metaData: 'b: 2\na: 1' })).toEqual([
      'cloudInit.metaData: its lines come in another order.',
    ]);
  });

  test('a long change is cut; what may be a secret is not shown', () => {
    const many = Array.from({ length: 25 }, (_, at) => `line ${at}`).join('\n');
    expect(notes({ userData: 'x' }, { userData: `x\n${many}` })?.at(-1)).toBe('and 5 lines more.');
    const said = notes(
      {},
      { userData: `password: hunter2\n- hash: $6$abc$def\nkey: ${'A1'.repeat(30)}\nuser: me` },
    );
    expect(said).toEqual([
      'cloudInit.userData changes in 4 lines:',
      '+ password: (may be a secret)',
      '+ - hash: (may be a secret)',
      '+ key: (may be a secret)',
      '+ user: me',
    ]);
    expect(notes({ userData: 'a' }, { userData: 'b' }, true)).toEqual([
      'cloudInit.userData changes. The spec holds a sensitive value: no line of it is shown.',
    ]);
  });
});
