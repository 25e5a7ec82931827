import { documentOf, type Program } from '../program';
import { hclFiles } from './hcl-files';
import { hclOf } from './hcl';
import { typescriptOf } from './typescript';
import { typescriptFiles } from './typescript-files';
import { yaml } from '../../report/yaml';
import { remarks } from './remarks';

/** The forms in which a program is printed. */
export const FORMS: Readonly<Record<string, (program: Program) => string>> = {
  typescript: typescriptOf,
  hcl: hclOf,
  yaml: yamlOf,
  json: program => `${JSON.stringify(documentOf(program), undefined, 2)}\n`,
};

/** The same, where the program is several files of one folder; the first one is where it begins. */
export const FOLDER_FORMS: Readonly<Record<string, (program: Program) => Map<string, string>>> = {
  typescript: typescriptFiles,
  hcl: hclFiles,
};

/** A desired state as YAML, which begins with what is not managed. */
function yamlOf(program: Program): string {
  const notes = program.machines.flatMap(machine => remarks(`# ${String(machine.json['id'])}:`, machine));
  return [...notes, yaml(documentOf(program)), ''].join('\n');
}
