import * as z from 'zod';
import { ClusterSpec } from '../cluster/cluster';
import { DesiredState } from './desired-state';
import { ExistingSpec } from '../cluster/existing';
import { FleetSpec } from './fleet';
import { MachineSpec } from '../machine/machine';
import { MachineClass } from '../machine/class';
import { NodeSpec } from '../cluster/node';
import { ClusterStatus, ExistingOutputs, MachineOutputs, Outputs } from './outputs';
import { PlacementPolicy } from '../cluster/placement-policy';
import { PreparedImage } from '../cluster/prepared-image';
import * as protocol from './protocol';
import { SnapshotSpec } from '../machine/snapshot';
import { allowedBy } from '../fields/wants';

/** Every document that crosses a border, by the name of its file. */
const DOCUMENTS: Readonly<Record<string, z.ZodType>> = {
  'desired-state': DesiredState,
  cluster: ClusterSpec,
  node: NodeSpec,
  machine: MachineSpec,
  'machine-class': MachineClass,
  snapshot: SnapshotSpec,
  'placement-policy': PlacementPolicy,
  'prepared-image': PreparedImage,
  existing: ExistingSpec,
  outputs: Outputs,
  'machine-outputs': MachineOutputs,
  'existing-outputs': ExistingOutputs,
  'cluster-status': ClusterStatus,
  'observe-query': protocol.ObserveQuery,
  'observe-result': protocol.ObserveResult,
  observation: protocol.Observation,
  difference: protocol.Difference,
  'held-guests': protocol.HeldGuests,
  'apply-environment': protocol.ApplyEnvironment,
  'snapshot-environment': protocol.SnapshotEnvironment,
  'destroy-environment': protocol.DestroyEnvironment,
  'facts-query': protocol.FactsQuery,
  'facts-result': protocol.FactsResult,
  'existing-result': protocol.ExistingResult,
  'plan-token': protocol.PlanToken,
  fleet: FleetSpec,
};

/** The JSON Schema of every document as a person writes it. Checks between fields are not in it. */
export function jsonSchemas(): Record<string, z.core.JSONSchema.JSONSchema> {
  return Object.fromEntries(Object.entries(DOCUMENTS).map(([name, schema]) => [name, jsonSchema(schema)]));
}

function jsonSchema(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    io: 'input',
    override({ zodSchema, jsonSchema: written }) {
      // zod leaves defaults of fields with a parsed form out; ours are in the words that people write.
      const value: unknown = z.globalRegistry.get(zodSchema)?.default;
      if (value !== undefined) written.default = value;
      const allowed = allowedBy(zodSchema);
      if (allowed !== undefined) written.$comment = allowed;
    },
  });
}
