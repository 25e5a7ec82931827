import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const built = path.join(__dirname, '..', '..', '..', '.engine', 'kubernetes');

/** The programs that `npm run setup kubernetes` builds. */
export const PROGRAMS = {
  apiServer: path.join(built, 'kube-apiserver'),
  kubectl: path.join(built, 'kubectl'),
};

/** Why there is no Kubernetes here; undefined when there is one. */
export function noKubernetes(): string | undefined {
  if (!Object.values(PROGRAMS).every(file => existsSync(file)))
    return 'there is no kube-apiserver: run npm run setup kubernetes';
  const hasEtcd = spawnSync('etcd', ['--version']).status === 0;
  return hasEtcd ? undefined : 'there is no etcd on PATH (Debian has it as etcd-server)';
}
