import { jsonSchemas } from '../../spec';
import { mainTf } from './main-tf';
import { moduleReadme } from './module-readme';
import { outputsTf } from './outputs-tf';
import type { Schema } from './schema';
import { variablesTf } from './variables-tf';
import { VERSIONS_TF } from './versions-tf';

/** The files of the Terraform module by name, besides the reconciler itself. */
export function moduleFiles(): Record<string, string> {
  // as plain JSON: zod's own type of it allows more than our documents use
  const schemas: Readonly<Record<string, Schema>> = JSON.parse(JSON.stringify(jsonSchemas()));
  const { machine = {}, cluster = {}, 'machine-outputs': outputs = {} } = schemas;
  const { defaults: _, ...fields } = cluster.properties ?? {};
  const ownCluster = { ...cluster, properties: fields };
  return {
    'README.md': moduleReadme(machine, outputs),
    'main.tf': mainTf(),
    'outputs.tf': outputsTf(outputs),
    'variables.tf': variablesTf(machine, ownCluster),
    'versions.tf': VERSIONS_TF,
  };
}
