import { yaml } from '../../report/yaml';
import { documentOf, type Program } from '../program';
import { leftAsItIs } from './left-as-it-is';

/** A desired state as JSON. */
export function jsonOf(program: Program): string {
  return `${JSON.stringify(documentOf(program), undefined, 2)}\n`;
}

/** A desired state as YAML, which begins with what is not managed. */
export function yamlOf(program: Program): string {
  const notes = program.machines.flatMap(({ json, unmanaged }) =>
    leftAsItIs(`# ${String(json['id'])}:`, unmanaged),
  );
  return [...notes, yaml(documentOf(program)), ''].join('\n');
}
