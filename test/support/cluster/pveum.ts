import type { Simulator } from '../../../simulator';
import { ask, type Params } from './ask';

/** Who the lines made: a token, with its secret. */
export interface Granted {
  PVE_TOKEN_ID: string;
  PVE_TOKEN_SECRET: string;
}

type Line = readonly [RegExp, (words: string[]) => [method: string, path: string, params: Params]];

/** What `permissions` and the simulator print, as the requests that pveum makes of it. */
const LINES: readonly Line[] = [
  [/^pveum user add (\S+)$/, ([userid = '']) => ['POST', '/access/users', { userid }]],
  [
    /^pveum user token add (\S+) (\S+) --privsep ([01])$/,
    ([user = '', token = '', privsep = '']) => ['POST', `/access/users/${user}/token/${token}`, { privsep }],
  ],
  [/^pveum role add (\S+)$/, ([roleid = '']) => ['POST', '/access/roles', { roleid }]],
  [
    /^pveum role modify (\S+) --append 1 --privs (\S+)$/,
    ([role = '', privs = '']) => ['PUT', `/access/roles/${role}`, { append: '1', privs }],
  ],
  [
    /^pveum role add (\S+) --privs (\S+)$/,
    ([roleid = '', privs = '']) => ['POST', '/access/roles', { roleid, privs }],
  ],
  [
    /^pveum acl modify (\S+) --roles (\S+) --users '([^']+)'$/,
    ([path = '', roles = '', users = '']) => ['PUT', '/access/acl', { path, roles, users }],
  ],
  [
    /^pveum acl modify (\S+) --roles (\S+) --(users|tokens) '?([^' ]+)'? --propagate ([01])$/,
    ([path = '', roles = '', holders = '', who = '', propagate = '']) => [
      'PUT',
      '/access/acl',
      { path, roles, propagate, [holders]: who },
    ],
  ],
];

/** Runs lines of pveum, as an administrator's shell would, each as one request of root's. Fails on a line that it does not know. */
export async function runPveum(
  simulator: Pick<Simulator, 'url'>,
  text: string,
  known?: Granted,
): Promise<Granted> {
  let granted = known;
  for (const line of text.split('\n').filter(each => each !== '' && !each.startsWith('#'))) {
    const [row, words] = LINES.flatMap(([pattern, request]) => {
      const match = pattern.exec(line);
      return match ? [[request, match.slice(1)] as const] : [];
    })[0] ?? [undefined, []];
    if (row === undefined) throw new Error(`what is this line: ${line}`);
    const [method, path, params] = row(words);
    const { status, reason, data } = await ask(simulator, method, path, { params });
    const isThere = status !== 200 && path === '/access/roles' && /already exists/.test(reason);
    if (status !== 200 && !isThere) throw new Error(`${line}: ${status} ${reason}`);
    const made = data as { 'full-tokenid'?: string; value?: string } | null;
    if (made?.value !== undefined)
      granted = { PVE_TOKEN_ID: made['full-tokenid'] ?? '', PVE_TOKEN_SECRET: made.value };
  }
  if (granted === undefined) throw new Error('no line makes a token');
  return granted;
}
