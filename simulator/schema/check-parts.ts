import { addError, checkObject, noErrors, type Errors } from './check-value';
import type { Part, Property, Variants } from './endpoint';

type Values = Record<string, unknown>;

/** Checks parameters whose schema has several parts: each part judges what it knows, and what none of them knows is an error. */
export function checkParts(values: Values, parts: Part[], errors: Errors): void {
  const unknown = parts
    .map(part => ('oneOf' in part ? checkVariants(values, part, errors) : checkPart(values, part, errors)))
    .reduce((left, here) => left.filter(key => here.includes(key)));
  checkObject(pick(values, unknown), {}, '', errors);
}

/** Every property that some part knows, by its name. */
export function propertiesOfParts(parts: Part[]): Record<string, Property> {
  const each = parts.map(part =>
    'oneOf' in part
      ? {
          ...Object.assign({}, ...part.oneOf.map(({ properties }) => properties)),
          [part['type-property']]: part['type-property-schema'],
        }
      : part.properties,
  );
  return Object.assign({}, ...each);
}

/** Checks the properties of one part. Gives the names that it does not know. */
function checkPart(values: Values, { properties }: { properties: Record<string, Property> }, errors: Errors) {
  checkObject(values, properties, '', errors, true);
  return namesBeside(values, Object.keys(properties));
}

/**
 * Checks the variant that the type names; its texts stand under `oneOf[TYPE].NAME`. Without a type, or with a wrong
 * one, everything but the type is unknown. PVE: check_one_of in pve-common, recording h1.
 */
function checkVariants(values: Values, variants: Variants, errors: Errors): string[] {
  const name = variants['type-property'];
  const wrongType = noErrors();
  checkObject(pick(values, [name]), { [name]: variants['type-property-schema'] }, '', wrongType);
  for (const [path, text] of Object.entries(wrongType)) addError(errors, path, text);
  const variant = variants.oneOf.find(each => each['instance-type'] === values[name]);
  if (!variant || Object.keys(wrongType).length > 0) return namesBeside(values, [name]);
  checkObject(values, variant.properties, `oneOf[${variant['instance-type']}]`, errors, true);
  return namesBeside(values, [name, ...Object.keys(variant.properties)]);
}

const namesBeside = (values: Values, known: string[]): string[] =>
  Object.keys(values).filter(key => !known.includes(key));

const pick = (values: Values, names: string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => names.includes(key)));
