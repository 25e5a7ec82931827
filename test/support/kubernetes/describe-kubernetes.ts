import { skipped } from '../skipped';
import { noKubernetes } from './where';

/** Tests that need a Kubernetes. Where there is none they are skipped, and the reason is printed. */
export function describeKubernetes(title: string, tests: () => void): void {
  const why = noKubernetes();
  if (why === undefined) describe(title, tests);
  else skipped(title, why);
}
