import type { Proof } from './proof';

type Lines = (verb: string, plain: string[], ...options: string[][]) => Proof;

/** It lacks the database. */
const SHORT = 'postgres://db';
/** Nobody listens there. */
const AWAY = ['--spec', 'postgres://127.0.0.1:1/x'];
const SHOWN = {
  test: 'e2e/stored/put-get › it says what comes, changes and leaves; stores nothing twice; and goes back',
};

/** The options of the verbs of a desired state in PostgreSQL. */
export function storedRows(lines: Lines, folder: string): Record<string, Proof> {
  return {
    'put <file>': lines('put', AWAY, ['-'], ['/no/such/file']),
    'put --spec': lines('put', ['-'], [], ['--spec', SHORT]),
    'put --manifests': lines('put', ['-'], [], ['--manifests', SHORT]),
    'put --owner': lines('put', ['-', ...AWAY], [], ['--owner', 'team']),
    'put --secrets': lines('put', ['-', ...AWAY], [], ['--secrets', folder]),
    'put --after': lines('put', ['-', ...AWAY], [], ['--after', 'x']),
    'put --why': SHOWN,
    'put --yes': SHOWN,
    'put --json': lines('put', ['-', '--spec', SHORT], [], ['--json']),
    'get --spec': lines('get', [], [], ['--spec', SHORT]),
    'get --manifests': lines('get', [], [], ['--manifests', SHORT]),
    'get --version': lines('get', AWAY, [], ['--version', 'x']),
    'get --history': lines('get', [...AWAY, '--version', '1'], [], ['--history']),
    'get --json': lines('get', ['--spec', SHORT], [], ['--json']),
  };
}
