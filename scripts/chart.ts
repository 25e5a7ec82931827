import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { crds } from '../reconciler/kubernetes/crds/crds';

interface Rule {
  resources: string[];
}
interface Role {
  kind: string;
  metadata: { name: string };
  rules: Rule[];
}

/** What is in no namespace: it is never given in one alone. */
const CLUSTER_WIDE = ['customresourcedefinitions', 'namespaces'];
const MADE = (from: string): string => `# Made from ${from} by npm run schema.\n`;

/** The files of the chart that are made of what stands elsewhere: definitions, rights and alerts, by their path. */
export function chartFiles(root: string): Map<string, string> {
  const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
  const files = new Map<string, string>();
  for (const [name, text] of crds()) files.set(`kubernetes/chart/files/crds/${name}`, kept(text));
  files.set('kubernetes/chart/files/rights.yaml', rightsOf(read('kubernetes/rbac.yaml')));
  files.set(
    'kubernetes/chart/files/alerts.yaml',
    MADE('monitoring/alerts.yaml') + read('monitoring/alerts.yaml'),
  );
  return files;
}

/** Helm leaves a definition when the chart goes: with it all its resources would go. */
const kept = (text: string): string =>
  text.replace(/^metadata:\n/m, 'metadata:\n  annotations:\n    helm.sh/resource-policy: keep\n');

/** The rules of the roles of rbac.yaml, those of the daemon in two parts. */
function rightsOf(text: string): string {
  const roles: Role[] = parseAllDocuments(text).map(document => document.toJS());
  const rulesOf = (name: string): Rule[] =>
    roles.find(({ kind, metadata }) => kind.endsWith('Role') && metadata.name === name)?.rules ?? [];
  const isWide = ({ resources }: Rule): boolean => resources.some(each => CLUSTER_WIDE.includes(each));
  const daemon = rulesOf('pve-reconciler');
  const rights = {
    resources: daemon.filter(rule => !isWide(rule)),
    definitions: daemon.filter(isWide),
    secrets: rulesOf('pve-reconciler-secrets'),
    lease: rulesOf('pve-reconciler-lease'),
  };
  return MADE('kubernetes/rbac.yaml') + stringify(rights);
}
