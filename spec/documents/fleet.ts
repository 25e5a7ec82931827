import * as z from 'zod';
import { neighbourFindings } from '../checks/neighbours';
import { repeated } from '../checks/repeated';
import { optional } from '../fields/field';
import { MachineSpec } from '../machine/machine';
import { NodeSpec } from '../cluster/node';
import { strictObject } from '../fields/strict-object';
import { parseWith, type Parsed } from '../reading/parse';
import { isRecord } from '../reading/path';
import { unknownPaths } from '../reading/unknown';

/** What placement must know of one machine, in the words of its spec. All of it is literal. */
export const FleetMachine = strictObject(
  () =>
    MachineSpec.pick({
      id: true,
      formerIds: true,
      vmid: true,
      node: true,
      pin: true,
      mode: true,
      asTemplate: true,
      placement: true,
      image: true,
      labels: true,
      tags: true,
      cpu: true,
      memory: true,
      disks: true,
      networks: true,
    }).shape,
);
export type FleetMachine = z.infer<typeof FleetMachine>;

/** All machines of one owner on one cluster, so that processes which place some of them agree about all. */
export const FleetSpec = strictObject(() => ({
  machines: z.array(FleetMachine).meta({ description: 'Every machine, also those that are there.' }),
  nodes: optional(z.array(NodeSpec), 'What is said about nodes.'),
}));
export type FleetSpec = z.infer<typeof FleetSpec>;

const PartialFleet = strictObject(() => FleetSpec.partial().shape);
type PartialFleet = z.infer<typeof PartialFleet>;

/** Parses a fleet. It holds no value that is unknown before apply. */
export function parseFleet(json: unknown): Parsed<FleetSpec> {
  const reading = { schema: FleetSpec, partial: PartialFleet, checks: fleetFindings };
  return parseWith({ ...reading, at: ['fleet'] }, json);
}

function* fleetFindings({ machines = [], nodes = [] }: PartialFleet) {
  yield* repeated(machines, 'machines', 'id', 'ids are unique per owner');
  yield* neighbourFindings(machines);
  yield* repeated(nodes, 'nodes', 'nodeName', 'each node is described once');
}

/** The fields of a machine that placement reads, and nothing more of it. */
export function fleetMachine({ image, cpu, disks, networks, ...spec }: FleetMachine): FleetMachine {
  const { id, formerIds, vmid, node, pin, mode, asTemplate, placement, labels, tags, memory } = spec;
  return said({
    ...{ id, formerIds, vmid, node, pin, mode, asTemplate, placement, labels, tags, memory },
    image: image && said({ ...image, checksum: undefined }),
    cpu: cpu && said({ cores: cpu.cores, sockets: cpu.sockets }),
    disks: disks?.map(({ name, size, storage, existingVolume }) =>
      said({ name, size, storage, existingVolume }),
    ),
    networks: networks?.map(({ name, bridge }) => said({ name, bridge })),
  });
}

// Made once: zod compiles a schema when it is first used.
const LENIENT = FleetMachine.strip();

/** The same of a machine of which only a part is known yet: placement cannot wait for the rest. */
export function knownFleetMachine(json: unknown): FleetMachine {
  const fields = isRecord(json) ? Object.entries(json) : [];
  const known = fields.filter(([, value]) => unknownPaths(value).length === 0);
  return fleetMachine(LENIENT.parse(Object.fromEntries(known)));
}

type Said<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** What is undefined is left out. */
function said<T extends object>(fields: T): Said<T> {
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the entries that stay are not undefined
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Said<T>;
}
