import {
  ClusterSpec,
  DesiredState,
  ExistingSpec,
  MachineClass,
  NodeSpec,
  PlacementPolicy,
  PreparedImage,
  SnapshotSpec,
} from '../../../spec';
import { schemaFields } from '../../support/spec/schema-fields';
import { CLUSTER_ROWS, refusedByPlan } from './cluster-rows';
import { IMAGE_ROWS } from './image-rows';
import { CLASS_ROWS, NODE_ROWS, STATE_ROWS } from './document-rows';
import type { Proof } from './proof';
import { walk } from './walk';

/** The field itself, without what the tables of its own kind walk. */
const ownOnly = (field: string): string => /^[a-z]+/i.exec(field)?.[0] ?? field;
const within = (field: string): string => (field.startsWith('defaults.') ? 'defaults' : field);

/** A document that nothing reads: each of its fields is refused where a desired state is read. */
const unread = (fields: string[]): Record<string, Proof> =>
  Object.fromEntries(
    fields.map(field => [field, refusedByPlan({ [ownOnly(field)]: 'x' }, `${ownOnly(field)}: `)]),
  );
const kept = (name: string): Proof => ({ test: `runs/snapshots/wanted › ${name}` });
const SNAPSHOT_ROWS: Readonly<Record<string, Proof>> = {
  machine: kept('is taken once, of a machine that is as wanted'),
  name: kept('is taken once, of a machine that is as wanted'),
  description: kept('is taken once, of a machine that is as wanted'),
  includeMemory: kept('of a machine that is %s, with memory: %s'),
  onDestroy: kept('is described anew where its words or its fate change'),
};

const asked = (name: string): Proof => ({ test: `runs/existing › ${name}` });
const one = asked('one guest by %s: what is known of it, and nothing is written');
const all = asked(
  'all guests with a tag, by their numbers; templates and containers are left out; a list may be empty',
);
const EXISTING_ROWS: Readonly<Record<string, Proof>> = {
  ...{ vmid: one, name: one, tag: one, allWithTag: all, atLeast: all },
  id: asked('status tells them beside the machines; other verbs leave them alone'),
};

walk('field of a cluster', schemaFields(ClusterSpec).map(within), CLUSTER_ROWS);
walk('field of a node', schemaFields(NodeSpec), NODE_ROWS);
walk('field of a desired state', Object.keys(DesiredState.shape), STATE_ROWS);
walk('field of an existing guest', schemaFields(ExistingSpec), EXISTING_ROWS);
walk('field of a class', schemaFields(MachineClass), CLASS_ROWS);
walk('field of a snapshot', schemaFields(SnapshotSpec), SNAPSHOT_ROWS);
walk('field of a placement policy', schemaFields(PlacementPolicy), unread(schemaFields(PlacementPolicy)));
walk('field of a prepared image', schemaFields(PreparedImage), IMAGE_ROWS);
