import { readFileSync } from 'node:fs';
import path from 'node:path';
import { jsonSchemas } from '../../spec';
import type { Schema } from './field-kinds';
import { mainTf } from './main-tf';
import { moduleReadme } from './module-readme';
import { outputsTf } from './outputs-tf';
import { variablesTf } from './variables-tf';
import type { Files } from './written-files';

/** The reconciler itself: this very file, and what is called and loads it. In a stack both have a hash in their names. */
const PROGRAM = path.basename(__filename);
const CALLED = PROGRAM.replace('reconciler-program', 'reconciler');

/** The files of the Terraform module by name, with the program in it. */
export function moduleFiles(): Files {
  const bytesOf = (name: string): Buffer => readFileSync(path.join(__dirname, name));
  return new Map<string, string | Buffer>([
    ...Object.entries(textFiles()),
    ['reconciler.cjs', bytesOf(CALLED)],
    ['reconciler-program.cjs', bytesOf(PROGRAM)],
  ]);
}

function textFiles(): Record<string, string> {
  // as plain JSON: zod's own type of it allows more than our documents use
  const schemas: Readonly<Record<string, Schema>> = JSON.parse(JSON.stringify(jsonSchemas()));
  const { machine = {}, cluster = {}, node = {}, snapshot = {}, existing = {} } = schemas;
  const { 'machine-outputs': outputs = {}, 'prepared-image': image = {} } = schemas;
  const { defaults: _, ...fields } = cluster.properties ?? {};
  const ownCluster = { ...cluster, properties: fields };
  return {
    'README.md': moduleReadme(machine, outputs),
    'main.tf': mainTf(),
    'outputs.tf': outputsTf(outputs),
    'variables.tf': variablesTf({ machine, cluster: ownCluster, node, image, snapshot, existing }),
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
