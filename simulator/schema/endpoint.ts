/** What the API's own schema says of a parameter. Facts of PVE 9.2, descriptions left out. */
export interface Property {
  type?: string;
  optional?: boolean;
  default?: unknown;
  default_key?: number;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  enum?: string[];
  pattern?: string;
  requires?: string;
  /** A name to look up in the formats, or a property string described in place. */
  format?: string | PropertyStringFormat;
  /** For `net[n]` and its like. */
  index?: { min: number; max: number };
  alias?: string;
  keyAlias?: string;
  items?: Property;
}

export interface PropertyStringFormat {
  kind: string;
  properties: Record<string, Property>;
}

/** Some parameters of a schema in several parts, which do not depend on each other. */
interface PlainPart {
  properties: Record<string, Property>;
}

/** Parameters that depend on a type, one of them. */
export interface Variants {
  'type-property': string;
  'type-property-schema': Property;
  oneOf: (PlainPart & { 'instance-type': string })[];
}

export type Part = PlainPart | Variants;

interface Parameters {
  properties?: Record<string, Property>;
  additionalProperties?: boolean;
  allOf?: Part[];
}

export interface Endpoint {
  method: string;
  path: string;
  name: string;
  parameters: Parameters;
  permissions?: { user?: string; check?: unknown; none_declared?: string };
  allowtoken?: boolean;
  protected?: boolean;
  proxyto?: string;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
const LISTED: Endpoint[] = require('./endpoints.json');
// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
const VIEWS: Endpoint[] = require('./view-endpoints.json');
// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
const FIREWALLS: Endpoint[] = require('./firewall-endpoints.json');

// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
const MAPPINGS: Endpoint[] = require('./mapping-endpoints.json');

// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
const JOBS: Endpoint[] = require('./job-endpoints.json');

/**
 * Every endpoint that the schema lists, a few views and buttons beyond it, the firewalls beside those of machines, mappings,
 * and jobs of backups and replication, of which the schema lists nothing: their parameters are assumed.
 */
export const ENDPOINTS: Endpoint[] = [...LISTED, ...VIEWS, ...FIREWALLS, ...MAPPINGS, ...JOBS];

/** The named formats: property strings, lists of another format, and those that are code in Proxmox. */
// eslint-disable-next-line @typescript-eslint/no-require-imports -- data that is too large for tsc to infer a type from
export const FORMATS: Record<string, NamedFormat> = require('./formats.json');

export interface NamedFormat {
  kind: string;
  properties?: Record<string, Property>;
  of?: string;
  regex?: string;
  flags?: string;
}
