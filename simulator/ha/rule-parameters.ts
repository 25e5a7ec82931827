import { findNamed } from '../own-keys';
import type { Endpoint, Property } from '../schema/endpoint';

const optional = true;
const comment: Property = { type: 'string', maxLength: 4096, optional };
const resources: Property = { type: 'string', format: 'pve-ha-resource-id-list' };
const disable: Property = { type: 'boolean', optional };
const type: Property = { type: 'string', enum: ['node-affinity', 'resource-affinity'] };
const rule: Property = { type: 'string', format: 'pve-configid' };

const BY_TYPE: Record<string, Record<string, Property>> = {
  'node-affinity': {
    nodes: { type: 'string', format: 'pve-ha-node-list' },
    strict: { type: 'boolean', optional },
  },
  'resource-affinity': { affinity: { type: 'string', enum: ['positive', 'negative'] } },
};

/** What a rule of this type takes; an update may leave out everything but the type. */
export function ruleEndpoint(endpoint: Endpoint, ruleType: string | undefined, isUpdate: boolean): Endpoint {
  const own = findNamed(BY_TYPE, ruleType ?? '');
  // assumed: without a known type nothing else is judged
  if (!own) return { ...endpoint, parameters: { properties: { type, rule } } };
  const properties = { resources, disable, comment, ...own };
  const given = isUpdate
    ? Object.entries(properties).map(([key, property]) => [key, { ...property, optional }])
    : Object.entries(properties);
  const update = {
    delete: { type: 'string', format: 'pve-configid-list', maxLength: 4096, optional },
    digest: { type: 'string', maxLength: 64, optional },
  };
  return {
    ...endpoint,
    parameters: {
      additionalProperties: false,
      properties: { type, rule, ...Object.fromEntries(given), ...(isUpdate && update) },
    },
  };
}

/** The options of a type, and whether they may be deleted. */
export function ruleOptions(ruleType: string): Record<string, boolean> {
  const properties = { resources, disable, comment, ...BY_TYPE[ruleType] };
  return Object.fromEntries(
    Object.entries(properties).map(([key, property]) => [key, property.optional ?? false]),
  );
}
