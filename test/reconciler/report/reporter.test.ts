import type { Action } from '../../../reconciler/action';
import { InterruptedError, RefusedError, TimeUpError } from '../../../reconciler/errors';
import { PveError } from '../../../reconciler/pve/answers/errors';
import { failureText } from '../../../reconciler/report/failure-text';
import { Reporter } from '../../../reconciler/report/reporter';

const start: Action = { kind: 'power', to: 'running' };
const boom = () => new PveError('failed', { method: 'GET', path: '/x', status: 500, text: 'boom' });
const BOOM = 'GET /x: 500 boom. Proxmox says why. Running again is safe.';

const reporting = (json = false) => {
  const lines: string[] = [];
  const reporter = new Reporter({ write: line => lines.push(line), level: 'info', json });
  const fail = (machine: string, error: unknown, action?: Action) =>
    reporter.report({ kind: 'failed', machine, action, error });
  return { reporter, lines, fail };
};

describe('a failure is told once', () => {
  it('by its step, and not again at the end of its machine or of the run', () => {
    const { reporter, lines, fail } = reporting();
    const error = boom();
    fail('web', error, start);
    fail('web', error);
    reporter.endsBy(error, 'web');
    expect(lines).toEqual([`web: FAILED while starting: ${BOOM}\n`]);
  });

  it('of each machine, also where they share the error or only its text', () => {
    const { lines, fail } = reporting();
    const shared = boom();
    fail('web', shared);
    fail('db', shared);
    fail('api', boom());
    expect(lines).toEqual(['web', 'db', 'api'].map(machine => `${machine}: ERROR: ${BOOM}\n`));
  });

  it('where another failure ended with the same words', () => {
    const { reporter, lines, fail } = reporting();
    fail('web', new Error(`first: ${BOOM}`), start);
    reporter.endsBy(boom(), 'web');
    expect(lines).toHaveLength(2);
  });

  it('of an interrupt, which is no failure of a machine, at the end of the run', () => {
    const { reporter, lines, fail } = reporting();
    const error = new InterruptedError(130);
    fail('web', error, start);
    fail('db', error);
    reporter.endsBy(error);
    expect(lines).toEqual([`ERROR: ${error.message}\n`]);
  });
});

it('names the machine once, in each form', () => {
  const limit = new TimeUpError('web', 'timeouts.apply allows 1s', 'it waited');
  const refusal = { machine: 'web', why: 'vmid', detail: 'It is taken.', remedy: 'Nothing was changed.' };
  expect(failureText(limit, 'web', start)).toBe(
    'web: FAILED while starting: its time is up (timeouts.apply allows 1s): it waited. Running again is safe.',
  );
  expect(failureText(limit)).toMatch(/^web: ERROR: its time is up/);
  expect(failureText(new RefusedError([refusal]), 'web')).toBe(
    'web: REFUSED: It is taken. Nothing was changed.',
  );
});

it('shows the stack of what nobody foresaw, and says what to do', () => {
  const text = failureText(new TypeError('x is not a function'), 'web', start);
  expect(text).toMatch(/^web: FAILED while starting: TypeError: x is not a function\n +at /);
  expect(text).toMatch(
    /\nThis is a fault of pve-reconciler: report it with these lines\. Running again is safe\.$/,
  );
});

it('tells a failure with its machine, step and reason as JSON', () => {
  const { lines, fail } = reporting(true);
  fail('web', boom(), start);
  expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
    {
      time: expect.any(String),
      level: 'error',
      machine: 'web',
      event: 'failed',
      message: `FAILED while starting: ${BOOM}`,
      action: start,
      error: BOOM,
    },
  ]);
});
