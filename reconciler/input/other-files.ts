import path from 'node:path';
import { isRecord } from '../../spec';
import { shellWord } from '../report/shell-word';

const STACK = "Synthesize it, and name the stack's folder (such as --spec cdktf.out/stacks/web).";
/** How what Terraform alone reads comes to a review. */
export const BY_TERRAFORM =
  'review its plan (terraform plan -out=PLAN && terraform show -json PLAN | pve-reconciler review)';
const HCL = /\.(?:tf|tf\.json|tofu|tofu\.json|tfvars|hcl)$/i;
const IS_HCL = 'is written for Terraform, which alone reads it';
const IS_STATE = 'is a state of Terraform: it tells what is there, and not what is wanted';
const WANTED = 'Name a desired state in YAML or JSON, or the folder of a synthesized stack.';

/** Files that people have beside a desired state: what each is, and what to give in its place. */
const ROWS: readonly [form: RegExp, what: string, instead: (file: string) => string][] = [
  [/^cdk\.tf\.json$/, 'is what a synthesized stack gives Terraform', file => folderOf(file)],
  [/^cdktf\.json$/, 'holds the settings of an app', () => STACK],
  [/\.[cm]?[jt]sx?$/i, 'is a program', () => STACK],
  [
    HCL,
    IS_HCL,
    () => 'Run terraform plan there; or write a desired state in YAML or JSON, and name it with --spec.',
  ],
  [/\.tfstate(?:\.backup)?$/i, IS_STATE, () => WANTED],
];

/** What a file is that is no desired state, by its name, with what to give instead; undefined for any other. */
export function otherFile(file: string): string | undefined {
  const row = ROWS.find(([form]) => form.test(path.basename(file)));
  return row && `${file} ${row[1]}. ${row[2](file)}`;
}

/** What is said of a file that Terraform reads where a plan of it was meant; undefined for any other. */
export function planlessFile(file: string): string | undefined {
  const name = path.basename(file);
  return HCL.test(name) && name !== 'cdk.tf.json' ? `${file} ${IS_HCL}: ${BY_TERRAFORM}.` : undefined;
}

/** What `otherFile` says, by what a JSON text holds, for one whose name says nothing. */
export function otherJson(name: string, json: unknown): string | undefined {
  if (!isRecord(json) || !('terraform_version' in json)) return undefined;
  if ('lineage' in json) return `${name} ${IS_STATE}. ${WANTED}`;
  return `${name} is what terraform show -json says of a plan or a state. Give a plan to pve-reconciler review.`;
}

function folderOf(file: string): string {
  return `Name its folder (--spec ${shellWord(path.dirname(file))}).`;
}
