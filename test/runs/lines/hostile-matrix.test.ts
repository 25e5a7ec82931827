import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDaemon } from '../../../reconciler/daemon/daemon';
import { Reporter } from '../../../reconciler/report/reporter';
import { InterruptedError } from '../../../reconciler/errors';
import { defaultWorld } from '../../../simulator';
import { until } from '../../support/daemon/daemon-lab';
import { alteredCluster } from '../../support/cluster/altered-cluster';
import { strangeIn, textsIn } from '../../support/cluster/hostile-text';
import {
  fromEverySource,
  markerOf,
  SOURCES,
  spoken,
  withoutHostile,
} from '../../support/cluster/hostile-sources';
import { desiredText, type CliLab } from '../../support/processes/cli';
import { differs, planOf } from '../../support/review/plan-document';
import { lineLab, runHere } from '../../support/runs/line-lab';

type Env = Record<string, string>;
type Form = 'text' | 'json' | 'html' | 'code' | 'world';
type Cell = 'escaped' | 'literal json' | 'never shown' | string;
type Place = [name: string, form: Form, show: (lab: CliLab, env: Env) => Promise<string>];

const web = { id: 'web', image: { template: 'debian-12' }, cpu: { cores: 2 }, agent: true };
const changed = { ...web, cpu: { cores: 3 }, description: 'ours', disks: [{ name: 'data', size: '1Gi' }] };
const orphaned = { id: 'db', image: { blank: true }, vmid: 888 };

const people =
  (verb: string, machines: { id: string }[], ...more: string[]) =>
  async (lab: CliLab, env: Env): Promise<string> => {
    const { stdout, stderr } = await lab.people(verb, machines, more, env);
    return more.includes('--json') || more.includes('json') ? stdout : stdout + stderr;
  };
const words =
  (...line: string[]) =>
  async (lab: CliLab, env: Env): Promise<string> => {
    const { stdout, stderr } = await runHere(line, { ...lab.access, ...env }, desiredText([web]));
    return line.includes('--json') ? stdout : stdout + stderr;
  };
const wire = async (lab: CliLab, env: Env, verb: string, more: object): Promise<string> => {
  const query = { protocol: '1', cluster: '{"name":"lab"}', owner: 'team/lab', ...more };
  const { stdout } = await runHere([verb], { ...lab.access, ...env }, JSON.stringify(query));
  const values = Object.values(JSON.parse(stdout || '{}') as Env);
  return JSON.stringify(values);
};
const review =
  (format: string) =>
  async (lab: CliLab, env: Env): Promise<string> => {
    // what the observer really tells, with each source in every field of it
    const fields = SOURCES.map(source => ({
      ...{ field: spoken(source), from: spoken(source), to: spoken(source), effect: 'restart' },
    }));
    const told = { ...differs('restart', fields, { does: SOURCES.map(spoken) }), node: spoken('node') };
    // lines of a refusal are ours: the observer has told each text of others in one
    const refused = { status: 'refused', effect: 'refused', refusal: spoken('error').replaceAll('\n', '') };
    const { stdout } = await runHere(
      ['review', '--format', format],
      { ...lab.access, ...env },
      planOf({ web: told, db: refused }),
    );
    return stdout;
  };
const moduleFiles = async (lab: CliLab, env: Env): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'module-'));
  try {
    await runHere(['module', folder], { ...lab.access, ...env });
    return ['main.tf', 'outputs.tf', 'variables.tf', 'README.md']
      .map(name => join(folder, name))
      .map(file => {
        try {
          return readFileSync(file, 'utf8');
        } catch {
          return '';
        }
      })
      .join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** What a daemon on that cluster tells at a path, or logs. */
const ofDaemon =
  (what: string, json = true) =>
  async (lab: CliLab, env: Env): Promise<string> => {
    const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
    const stop = new AbortController();
    let log = '';
    const reporter = new Reporter({ write: line => void (log += line), level: 'debug', json });
    const listens = {
      METRICS_BIND_ADDRESS: '127.0.0.1:0',
      HEALTH_PROBE_BIND_ADDRESS: '0',
      STATUS_BIND_ADDRESS: '127.0.0.1:0',
    };
    const ended = runDaemon(
      {
        environment: { ...lab.access, ...env, RECONCILE_INTERVAL: '200ms', ...listens },
        readInput: () => Promise.resolve(desiredText([changed])),
        out: () => undefined,
        reporter,
        signal: stop.signal,
      },
      { spec: ['-'] },
    );
    ended.catch(() => undefined);
    try {
      const variable = what === '/metrics' ? 'METRICS' : 'STATUS';
      const address = (): string | undefined =>
        new RegExp(`${variable}_BIND_ADDRESS.*?(127\\.0\\.0\\.1:\\d+)`).exec(log)?.[1];
      await until(address, found => found !== undefined);
      const get = async (path: string): Promise<string> => (await fetch(`http://${address()}${path}`)).text();
      await until(
        () => log,
        said => /Failed|failed|refused|Refused|Error|error/.test(said),
      );
      return what === 'log' ? log : await get(what);
    } finally {
      stop.abort(new InterruptedError(143));
      await ended.catch(() => undefined);
      rmSync(folder, { recursive: true });
    }
  };
const ofSimulator =
  (path: string) =>
  async ({ simulator }: CliLab): Promise<string> => {
    const guest = Object.values(simulator.world.guests)[0]!;
    Object.assign(guest.config, {
      name: spoken('guest name'),
      description: spoken('description'),
      tags: markerOf('tag'),
    });
    const response = await fetchTrusting(`${simulator.url}${path}`, simulator.ca);
    return response;
  };
async function fetchTrusting(url: string, ca: string): Promise<string> {
  const { request } = await import('node:https');
  return new Promise((resolve, reject) => {
    request(url, { ca }, answer => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
}

const adopted = (form: string, { access }: CliLab, env: Env) =>
  runHere(['adopt', '--all', '--owner', 'x', '--cluster', 'lab', '--form', form], { ...access, ...env });

const PLACES: Place[] = [
  ['plan', 'text', people('plan', [changed])],
  ['plan --json', 'json', people('plan', [changed], '--json')],
  ...['table', 'wide', 'yaml'].map((form): Place => [
    `status -o ${form}`,
    'text',
    people('status', [web], '-o', form),
  ]),
  ['status -o json', 'json', people('status', [web], '-o', 'json')],
  ['review as text', 'text', review('text')],
  ['review as markdown', 'html', review('markdown')],
  ['review as json', 'json', review('json')],
  ['review as html', 'html', review('html')],
  ...['typescript', 'hcl', 'yaml'].map((form): Place => [
    `adopt --form ${form}`,
    'code',
    async (lab, env) => (await adopted(form, lab, env)).stdout,
  ]),
  [
    'adopt --form json',
    'json',
    async (lab, env) => {
      const line = ['adopt', '--all', '--owner', 'x', '--cluster', 'lab', '--form', 'json'];
      return (await runHere(line, { ...lab.access, ...env })).stdout;
    },
  ],
  ['what adopt says', 'text', async (lab, env) => (await adopted('json', lab, env)).stderr],
  ['module', 'text', moduleFiles],
  ['outputs of a machine (facts)', 'json', (lab, env) => wire(lab, env, 'facts', { machine: 'web' })],
  ['outputs of the cluster', 'json', (lab, env) => wire(lab, env, 'facts', {})],
  ['observe', 'json', (lab, env) => wire(lab, env, 'observe', { 'spec.web': JSON.stringify(changed) })],
  ['events of apply as text', 'text', async (lab, env) => (await lab.apply(changed, { env })).stderr],
  [
    'events of apply as JSON',
    'text',
    async (lab, env) =>
      (await lab.apply(changed, { env: { ...env, LOG_FORMAT: 'json', LOG_LEVEL: 'debug' } })).stderr,
  ],
  ['reconcile', 'text', people('reconcile', [changed])],
  ['reconcile --json', 'json', people('reconcile', [changed], '--json')],
  ['doctor', 'text', words('doctor', '--spec', '-')],
  ['doctor --json', 'json', words('doctor', '--spec', '-', '--json')],
  ['gc', 'text', words('gc', '--spec', '-')],
  ['gc --json', 'json', words('gc', '--spec', '-', '--json')],
  ['permissions', 'text', words('permissions', '--spec', '-')],
  ['snapshot list', 'text', words('snapshot', 'list', 'web', '--spec', '-')],
  ['completion', 'text', words('completion', 'machines', '--spec', '-')],
  ['console', 'text', words('console', 'web', '--spec', '-')],
  ['log of the daemon as text', 'text', ofDaemon('log', false)],
  ['log of the daemon as JSON', 'text', ofDaemon('log')],
  ['page of the daemon', 'html', ofDaemon('/')],
  ['machines of the daemon', 'json', ofDaemon('/machines')],
  ['metrics', 'text', ofDaemon('/metrics')],
  ['page of the simulator', 'html', ofSimulator('/_sim/')],
  ['state of the simulator', 'world', ofSimulator('/_sim/state')],
  ['destroy', 'text', async (lab, env) => (await lab.destroy('web', { entry: '', env })).stderr],
];

/** What became of a text at a place; anything else than the three words is a fault. */
function cellOf(form: Form, shown: string, marker: string, name: string): Cell {
  if (!shown.includes(marker)) return 'never shown';
  // of the simulator's own world, for programs: JSON as it is
  if (form === 'world') return JSON.parse(shown) === undefined ? 'no JSON' : 'literal json';
  const faults = [
    ...strangeIn(shown).filter(sign => !['html', 'json'].includes(form) || sign.startsWith('U+')),
    ...(form === 'html' && /<script>alert/.test(withoutCode(shown, name)) ? ['<script>'] : []),
    ...(form === 'text' && /^\s*::/m.test(shown) ? ['a workflow command'] : []),
    ...(name.endsWith('typescript') && shown.includes('${TfToken[') ? ['a token of cdktf'] : []),
  ];
  if (faults.length > 0) return `NOT SAFE: ${faults.join(', ')}`;
  if (form !== 'json') return 'escaped';
  return textsIn(JSON.parse(shown)).some(text => text.includes(marker))
    ? 'literal json'
    : 'NOT SAFE: no JSON';
}

/** Markdown between backticks is text. */
function withoutCode(shown: string, name: string): string {
  return name.endsWith('markdown') ? shown.replace(/(`+)[^]*?\1/g, '') : shown;
}

test('each text that comes from Proxmox, at each place that prints: escaped, literal JSON, or never shown', async () => {
  const lab = await lineLab({ world: defaultWorld(2) });
  const server = await alteredCluster(lab.simulator, fromEverySource, withoutHostile);
  const table: Record<string, Record<string, Cell>> = {};
  try {
    expect((await lab.people('reconcile', [web, orphaned])).code).toBe(0);
    for (const [name, form, show] of PLACES) {
      const shown = await show(lab, server.access);
      table[name] = Object.fromEntries(
        SOURCES.map(source => [source, cellOf(form, shown, markerOf(source), name)]),
      );
    }
  } finally {
    await server.close();
    await lab.close();
  }
  const cells = Object.entries(table).flatMap(([place, row]) =>
    Object.entries(row).map(([source, cell]) => ({ place, source, cell })),
  );
  expect(cells).toHaveLength(PLACES.length * SOURCES.length);
  const words = ['escaped', 'literal json', 'never shown'];
  expect(cells.filter(({ cell }) => !words.includes(cell))).toEqual([]);
  const isShown = ({ cell }: { cell: Cell }): boolean => cell !== 'never shown';
  if (process.env['SHOW_TABLE']) console.table(table);
  // a table in which nothing is shown proves nothing
  expect(SOURCES.filter(source => !cells.some(each => each.source === source && isShown(each)))).toEqual([]);
  const silent = PLACES.map(([name]) => name).filter(
    name => !cells.some(each => each.place === name && isShown(each)),
  );
  expect(silent).toEqual(['module', 'completion', 'page of the daemon', 'metrics', 'page of the simulator']);
}, 300_000);
