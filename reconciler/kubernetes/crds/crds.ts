import { stringify } from 'yaml';
import { isRecord } from '../../../spec';
import { manifestSchema } from '../../manifests';
import { apiVersionOf, RESOURCE_KINDS, type ResourceKind, type ResourceRole } from '../kinds';
import { READ_FIELDS } from './read-fields';
import { REQUIRED, RULES } from './rules';
import { statusSchema } from './status-schema';
import { OWN, structural } from './structural';

type Schema = Readonly<Record<string, unknown>>;
type Column = Readonly<{ name: string; type: string; jsonPath: string; priority?: number }>;

const READY: readonly Column[] = [
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
];
const WHY: readonly Column[] = [
  {
    ...{ name: 'Message', type: 'string', priority: 1 },
    jsonPath: '.status.conditions[?(@.type=="Ready")].message',
  },
];
const AGE: readonly Column[] = [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }];

const COLUMNS: Readonly<Record<ResourceRole, readonly Column[]>> = {
  machine: [
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    ...READY,
    { name: 'VMID', type: 'integer', jsonPath: '.status.vmid' },
    { name: 'Node', type: 'string', jsonPath: '.status.node' },
    { name: 'Address', type: 'string', jsonPath: '.status.ipAddresses[0]' },
    ...AGE,
    { name: 'Cluster', type: 'string', jsonPath: '.status.cluster', priority: 1 },
    ...WHY,
  ],
  cluster: [...READY, { name: 'Version', type: 'string', jsonPath: '.status.version' }, ...AGE, ...WHY],
  node: [...READY, { name: 'VMs', type: 'integer', jsonPath: '.status.vmCount' }, ...AGE, ...WHY],
  other: [
    { name: 'Accepted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Accepted")].status' },
    ...AGE,
    {
      ...{ name: 'Message', type: 'string', priority: 1 },
      jsonPath: '.status.conditions[?(@.type=="Accepted")].message',
    },
  ],
};

/** The definitions of all kinds, by the name of their file, as YAML. Made of the schemas by which documents are read. */
export function crds(): Map<string, string> {
  const { anyOf, $defs } = manifestSchema();
  const definitions = isRecord($defs) ? $defs : {};
  const schemas = Array.isArray(anyOf) ? anyOf.filter(isRecord) : [];
  return new Map(
    RESOURCE_KINDS.map(kind => {
      const schema = schemas.find(each => isOf(kind, each)) ?? {};
      const crd = definitionOf(kind, specOf(kind, schema, definitions));
      return [
        `${kind.plural}.${kind.group}.yaml`,
        // kubectl reads the YAML of old: there On without quotes is true, and no text
        stringify(crd, { lineWidth: 120, aliasDuplicateObjects: false, compat: 'yaml-1.1' }),
      ];
    }),
  );
}

function isOf(kind: ResourceKind, { properties }: Schema): boolean {
  if (!isRecord(properties)) return false;
  const said = (key: string): unknown => (isRecord(properties[key]) ? properties[key]['const'] : undefined);
  return said('kind') === kind.kind && said('apiVersion') === apiVersionOf(kind);
}

function specOf({ kind, role }: ResourceKind, { properties }: Schema, definitions: Schema): Schema {
  const spec = isRecord(properties) && isRecord(properties['spec']) ? properties['spec'] : {};
  const rules = RULES[role];
  const required = REQUIRED[kind];
  return {
    ...structural(withReadFields(spec), definitions),
    ...(required && { required }),
    ...(rules.length > 0 && { 'x-kubernetes-validations': rules }),
  };
}

/** With a schema for each field that is read by code of its own: those have none. */
function withReadFields(schema: Schema): Schema {
  const { properties } = schema;
  if (!isRecord(properties)) return schema;
  const fields = Object.entries(properties).map(([key, field]) => {
    const isUnsaid = isRecord(field) && !('type' in field || 'anyOf' in field || '$ref' in field);
    const isOwn = isUnsaid || key === 'powerState';
    if (isOwn && Object.hasOwn(READ_FIELDS, key)) return [key, { [OWN]: READ_FIELDS[key] }];
    return [key, isRecord(field) ? withReadFields(field) : field];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

function definitionOf(kind: ResourceKind, spec: Schema): Schema {
  const { group, version, plural, shortNames } = kind;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        ...{ kind: kind.kind, listKind: `${kind.kind}List`, plural, singular: kind.kind.toLowerCase() },
        ...(shortNames.length > 0 && { shortNames }),
        categories: ['proxmox'],
      },
      versions: [
        {
          ...{ name: version, served: true, storage: true },
          subresources: { status: {} },
          additionalPrinterColumns: COLUMNS[kind.role],
          schema: {
            openAPIV3Schema: {
              description: DESCRIPTIONS[kind.kind],
              type: 'object',
              properties: {
                ...{ apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' } },
                spec,
                status: statusSchema(kind.role),
              },
              required: ['spec'],
            },
          },
        },
      ],
    },
  };
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  Machine: 'A virtual machine of Proxmox.',
  ProxmoxVirtualMachine: 'A virtual machine of Proxmox.',
  VirtualMachine: 'A virtual machine of Proxmox.',
  VMClone: 'A virtual machine of Proxmox that is a copy of another one, or of a template.',
  ProxmoxCluster: 'A cluster of Proxmox, and how it is reached.',
  Provider: 'A cluster of Proxmox, and how it is reached.',
  ProxmoxNode: 'What is said of a node of Proxmox.',
  VMClass: 'Sizes that machines name in classRef.',
  VMImage: 'A template or an image that machines name in imageRef.',
  VMPlacementPolicy: 'Where machines go that name it in placementRef.',
  VMSnapshot: 'A snapshot of a machine.',
};
