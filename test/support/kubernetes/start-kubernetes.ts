import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAMS } from './where';
import { freePorts } from '../free-ports';

/** Who may ask: the administrator, and a daemon with no rights but those that a test gives it. */
export const TOKENS = { admin: 'admin-token', daemon: 'daemon-token' } as const;
export type Caller = keyof typeof TOKENS;

/** A program of the test's own: what it said, and its end. */
function start(program: string, args: string[], cwd: string) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => {
    said.push(chunk.toString());
    if (said.length > 200) said.shift();
  });
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  return { child, ended, said: () => said.join('') };
}

async function stop({ child, ended }: { child: ChildProcess; ended: Promise<void> }): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** A real etcd and a real API server on loopback ports of their own. */
export async function startKubernetes() {
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-'));
  const at = (name: string): string => join(folder, name);
  const [client = 0, peer = 0, port = 0] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${client}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  const etcdArgs = [
    ...['--data-dir', at('data'), '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`, '--unsafe-no-fsync'],
  ];
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  writeFileSync(at('sa.key'), keys.privateKey);
  writeFileSync(at('sa.pub'), keys.publicKey);
  writeFileSync(
    at('tokens.csv'),
    `${TOKENS.admin},admin,1,"system:masters"\n${TOKENS.daemon},system:serviceaccount:pve-reconciler:pve-reconciler,2\n`,
  );
  const server = `https://127.0.0.1:${port}`;
  const serverArgs = [
    ...['--etcd-servers', etcdUrl, '--secure-port', String(port), '--bind-address', '127.0.0.1'],
    ...['--advertise-address', '127.0.0.1', '--cert-dir', at('certs'), '--authorization-mode', 'RBAC'],
    ...['--service-account-issuer', server, '--service-account-key-file', at('sa.pub')],
    ...['--service-account-signing-key-file', at('sa.key'), '--token-auth-file', at('tokens.csv')],
    ...['--service-cluster-ip-range', '10.0.0.0/24', '--disable-admission-plugins', 'ServiceAccount'],
    ...['--endpoint-reconciler-type', 'none'],
    ...['--audit-policy-file', at('audit.yaml'), '--audit-log-path', at('audit.log')],
  ];
  writeFileSync(at('audit.yaml'), AUDIT);
  let etcd = start('etcd', etcdArgs, folder);
  let api = start(PROGRAMS.apiServer, serverArgs, folder);
  const configOf = (caller: Caller, token: string = TOKENS[caller]): string => {
    const file = at(`${caller}.kubeconfig`);
    writeFileSync(file, kubeconfig(server, at('certs/apiserver.crt'), token));
    return file;
  };
  /** Runs kubectl as the administrator. What it said, and whether it went well. */
  const kubectl = (args: string[], input = '', caller: Caller = 'admin') => {
    const { status, stdout, stderr } = spawnSync(PROGRAMS.kubectl, args, {
      input,
      encoding: 'utf8',
      env: { ...process.env, KUBECONFIG: configOf(caller), HOME: folder },
      timeout: 60_000,
    });
    return { ok: status === 0, stdout, stderr };
  };
  const ready = async (): Promise<void> => {
    const end = Date.now() + 90_000;
    while (!kubectl(['get', '--raw', '/readyz']).ok) {
      if (api.child.exitCode !== null || Date.now() > end) throw new Error(`no API server: ${api.said()}`);
      await new Promise(resolve => setTimeout(resolve, 200));
    }
  };
  const close = async (): Promise<void> => {
    await Promise.all([stop(api), stop(etcd)]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await ready();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder,
    server,
    ca: () => readFileSync(at('certs/apiserver.crt'), 'utf8'),
    configOf,
    /** The daemon's, in the namespace of its rights, and by another way where a port is given. */
    configOfPod: (port = Number(new URL(server).port), token: string = TOKENS.daemon): string => {
      const file = at(`pod-${port}.kubeconfig`);
      const by = `https://127.0.0.1:${port}`;
      writeFileSync(file, kubeconfig(by, at('certs/apiserver.crt'), token, 'pve-reconciler'));
      return file;
    },
    kubectl,
    /** Runs kubectl, and fails where it fails. */
    done: (args: string[], input = ''): string => {
      const { ok, stdout, stderr } = kubectl(args, input);
      if (!ok) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    /** The requests that the daemon has made, as `patch machines team-a/web`, with what was answered. */
    requests: (): { line: string; code: number }[] =>
      readFileSync(at('audit.log'), 'utf8')
        .split('\n')
        .filter(line => line.includes('"username":"system:serviceaccount:pve-reconciler:pve-reconciler"'))
        .map(line => {
          const { verb, objectRef, responseStatus } = JSON.parse(line) as Audited;
          const { resource = '', subresource, namespace = '', name = '' } = objectRef ?? {};
          const what = subresource === undefined ? resource : `${resource}/${subresource}`;
          return { line: `${verb} ${what} ${namespace}/${name}`, code: responseStatus?.code ?? 0 };
        }),
    /** Ends the API server, and starts it again: what was open breaks. */
    restart: async (downMs = 0): Promise<void> => {
      await stop(api);
      await new Promise(resolve => setTimeout(resolve, downMs));
      api = start(PROGRAMS.apiServer, serverArgs, folder);
      await ready();
    },
    /** Kills one of both, and starts it again; waits for nothing. */
    kill: async (which: 'etcd' | 'API server'): Promise<void> => {
      await stop(which === 'etcd' ? etcd : api);
      if (which === 'etcd') etcd = start('etcd', etcdArgs, folder);
      // it ends by itself where etcd is away while it starts
      if (which !== 'etcd' || api.child.exitCode !== null)
        api = start(PROGRAMS.apiServer, serverArgs, folder);
    },
    close,
  };
}

interface Audited {
  verb: string;
  objectRef?: { resource?: string; subresource?: string; namespace?: string; name?: string };
  responseStatus?: { code?: number };
}

export type Kubernetes = Awaited<ReturnType<typeof startKubernetes>>;

/** Each request once, when it is answered. */
const AUDIT = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules: [{level: Metadata}]
`;

function kubeconfig(server: string, ca: string, token: string, namespace = 'default'): string {
  return [
    'apiVersion: v1',
    'kind: Config',
    'current-context: test',
    `contexts: [{name: test, context: {cluster: test, user: test, namespace: ${namespace}}}]`,
    `clusters: [{name: test, cluster: {server: "${server}", certificate-authority: "${ca}"}}]`,
    `users: [{name: test, user: {token: "${token}"}}]`,
    '',
  ].join('\n');
}
