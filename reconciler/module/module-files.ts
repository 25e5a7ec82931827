import { jsonSchemas } from '../../spec';
import { mainTf } from './main-tf';
import { moduleReadme } from './module-readme';
import { outputsTf } from './outputs-tf';
import type { Schema } from './schema';
import { variablesTf } from './variables-tf';

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

/** What the module needs. It brings no provider block, so that for_each and depends_on stay possible on its call. */
const VERSIONS_TF = `terraform {
  required_version = ">= 1.9.0"

  required_providers {
    external = {
      source  = "hashicorp/external"
      version = ">= 1.2.0"
    }
    null = {
      source  = "hashicorp/null"
      version = ">= 1.0.0"
    }
  }
}
`;
