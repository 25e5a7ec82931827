import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const engine = path.join(__dirname, '..', '..', '..', '.engine');
const built = path.join(engine, 'kubernetes');

/** The programs that `npm run setup kubernetes` builds. */
export const PROGRAMS = {
  apiServer: path.join(built, 'kube-apiserver'),
  kubectl: path.join(built, 'kubectl'),
};

/** The program that `npm run setup helm` builds. */
export const HELM = path.join(engine, 'helm', 'helm');

/** Why there is no Helm here; undefined when there is one. */
export const noHelm = (): string | undefined =>
  existsSync(HELM) ? undefined : 'there is no helm: run npm run setup helm';

/** Why there is no Kubernetes here; undefined when there is one. */
export function noKubernetes(): string | undefined {
  if (!Object.values(PROGRAMS).every(file => existsSync(file)))
    return 'there is no kube-apiserver: run npm run setup kubernetes';
  const hasEtcd = spawnSync('etcd', ['--version']).status === 0;
  return hasEtcd ? undefined : 'there is no etcd on PATH (Debian has it as etcd-server)';
}
