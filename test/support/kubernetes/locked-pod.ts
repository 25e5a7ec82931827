import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Container, PodSpec } from './chart';
import type { Kubernetes } from './start-kubernetes';

/** What the node of a pod does: the files of its account, a root that nobody can write, its user, no privilege. */
const NODE = `set -e
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/secrets/kubernetes.io/serviceaccount
cp "$ACCOUNT"/* /run/secrets/kubernetes.io/serviceaccount
cp "$BUNDLE" /run/ca.pem
chmod -R a+rX /run
mount -o remount,bind,ro /
! touch /tmp/written-by-a-pod 2>&-
exec setpriv --reuid "$POD_USER" --regid "$POD_USER" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
`;

/** Why no process can be locked in like a pod here; undefined where it can. */
export function noLock(): string | undefined {
  const tried = spawnSync('unshare', ['-m', 'sh', '-c', 'mount --make-rprivate / && setpriv --version']);
  return tried.status === 0 ? undefined : 'unshare and setpriv, as root, cannot make a mount namespace here';
}

/** Starts the container of a pod with its user, its arguments and its variables, and with no KUBECONFIG. */
export function startLocked(
  kubernetes: Kubernetes,
  { pod, token, bundle }: { pod: PodSpec; token: string; bundle: string },
  environment: Record<string, string>,
) {
  const account = join(kubernetes.folder, 'account');
  mkdirSync(account, { recursive: true });
  const files = { token, namespace: 'pve-reconciler', 'ca.crt': kubernetes.ca() };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(account, name), text);
  const [container]: [Container] = pod.containers;
  const { runAsUser } = pod.securityContext as { runAsUser: number };
  const program = join(process.cwd(), 'dist', 'reconciler.cjs');
  const child = spawn(
    'unshare',
    ['-m', 'sh', '-c', NODE, 'pod', process.execPath, program, ...container.args],
    {
      env: {
        PATH: process.env['PATH'],
        ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
        ...{
          NODE_EXTRA_CA_CERTS: '/run/ca.pem',
          ACCOUNT: account,
          BUNDLE: bundle,
          POD_USER: String(runAsUser),
        },
        ...{ KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: new URL(kubernetes.server).port },
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  return { child, ended, stderr: () => said };
}
