import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Testing, TerraformStack, type App } from 'cdktf';
import { ProxmoxCluster, type ProxmoxClusterProps } from '../../../constructs';

type Json = Record<string, unknown>;

/** A stack as Terraform gets it, and the files beside it. */
export interface Synthesized {
  /** The resources of a type, by their names. */
  resources: (type: string) => Record<string, Json>;
  data: () => Record<string, Json>;
  outputs: () => Record<string, Json>;
  /** The spec that a machine's revision carries: its text as it stands. */
  specText: (machine: string) => string;
  spec: (machine: string) => Json;
  /** The readable desired state of a cluster. */
  desiredState: () => Json;
  text: string;
}

/** Synthesizes what `build` puts into a stack beside a cluster named lab, with validations. */
export function synthesized(
  build: (stack: TerraformStack, cluster: ProxmoxCluster) => void,
  cluster: ProxmoxClusterProps = {},
): Synthesized {
  const { stack } = program(build, cluster);
  const text = Testing.synth(stack, true);
  const json = JSON.parse(text) as Record<string, Record<string, Record<string, Json>>>;
  const resources = (type: string) => json['resource']?.[type] ?? {};
  const specText = (machine: string) => {
    const { triggers } = resources('null_resource')[`machine_lab_${machine}`] ?? {};
    return (triggers as { spec: string }).spec;
  };
  return {
    text,
    resources,
    data: () => json['data']?.['external'] ?? {},
    outputs: () => (json['output'] ?? {}) as Record<string, Json>,
    specText,
    spec: machine => JSON.parse(specText(machine)) as Json,
    desiredState: () => {
      const folder = Testing.fullSynth(stack);
      const file = path.join(folder, 'stacks', 'web', 'proxmox', 'lab.json');
      return JSON.parse(readFileSync(file, 'utf8')) as Json;
    },
  };
}

/** The same without synthesizing. */
export function program(
  build: (stack: TerraformStack, cluster: ProxmoxCluster) => void,
  cluster: ProxmoxClusterProps = {},
): { app: App; stack: TerraformStack } {
  const app = Testing.app();
  const stack = new TerraformStack(app, 'web');
  build(stack, new ProxmoxCluster(stack, 'lab', cluster));
  return { app, stack };
}
