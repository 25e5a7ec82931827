import type { Program } from '../program';
import { jsonOf, yamlOf } from './document';
import { hclOf } from './hcl';
import { typescriptOf } from './typescript';

/** The forms in which a program is printed. */
export const FORMS: Readonly<Record<string, (program: Program) => string>> = {
  typescript: typescriptOf,
  hcl: hclOf,
  yaml: yamlOf,
  json: jsonOf,
};
