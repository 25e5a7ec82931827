import { Failure } from '../failure';
import { findNamed } from '../own-keys';
import { CODE_FORMATS } from './formats/code';
import type { Property, PropertyStringFormat } from './endpoint';
import { FORMATS } from './endpoint';
import { schemaPattern } from './pattern';
import { describeFailure, isInteger, isNumber, splitList } from '../perl-text';
import { splitPropertyString } from './property-text';
import { PROPERTY_STRING_RULES } from './property-string-rules';

/** What is wrong, one text per path; two errors of one path are joined by a backslash and an n. */
export type Errors = Record<string, string>;

/** No errors yet. Keys are the caller's, so the record inherits nothing. */
export function noErrors(): Errors {
  return Object.create(null);
}

/** Adds a text to a path. */
export function addError(errors: Errors, path: string, text: string): void {
  const known = errors[path];
  // PVE joins with '\n' in single quotes
  errors[path] = known === undefined ? text : `${known}\\n${text}`;
}

/** Checks every property, present or missing, then what needs another and what is unknown. */
export function checkObject(
  values: Record<string, unknown>,
  properties: Record<string, Property>,
  path: string,
  errors: Errors,
  additional = false,
): void {
  const pathOf = (key: string): string => (path === '' ? key : `${path}.${key}`);
  for (const [key, property] of Object.entries(properties)) {
    checkValue(findNamed(values, key), property, pathOf(key), errors);
  }
  for (const key of Object.keys(values)) {
    const property = findNamed(properties, key);
    if (property?.requires !== undefined && (values[property.requires] ?? undefined) === undefined) {
      addError(
        errors,
        pathOf(property.requires),
        `missing property required by '${pathOf(key)}'`,
      );
    }
    if (property || additional) continue;
    addError(
      errors,
      pathOf(key),
      'property is not defined in schema and the schema does not allow additional properties',
    );
  }
}

function checkValue(value: unknown, property: Property, path: string, errors: Errors): void {
  if (value === undefined || value === null) {
    if (property.optional || property.alias !== undefined || property.type === 'null') return;
    addError(errors, path, 'property is missing and it is not optional');
    return;
  }
  const typeError = wrongType(value, property.type);
  if (typeError !== undefined) {
    addError(errors, path, typeError);
  } else if (Array.isArray(value)) {
    const { items } = property;
    if (items) value.forEach((item, index) => checkValue(item, items, `${path}[${index}]`, errors));
  } else if (typeof value !== 'object') {
    const text = wireText(value);
    const wrong = wrongFormat(property, text, path) ?? wrongText(property, text);
    if (wrong !== undefined) addError(errors, path, wrong);
  }
}

/** A scalar as Perl sees it. */
export function wireText(value: unknown): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

const SCALAR_TYPES: Record<string, (text: string) => boolean> = {
  boolean: text => text === '0' || text === '1',
  integer: isInteger,
  number: isNumber,
};

function wrongType(value: unknown, type: string | undefined): string | undefined {
  if (type === undefined || type === 'any') return undefined;
  if (type === 'array') return Array.isArray(value) ? undefined : `type check ('${type}') failed`;
  if (typeof value === 'boolean' && type === 'boolean') return undefined;
  const reference = referenceName(value);
  if (reference !== undefined) return `type check ('${type}') failed - got ${reference}`;
  const text = wireText(value);
  return (SCALAR_TYPES[type]?.(text) ?? true) ? undefined : `type check ('${type}') failed - got '${text}'`;
}

function referenceName(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'ARRAY';
  if (typeof value === 'boolean') return 'JSON::PP::Boolean';
  return typeof value === 'object' ? 'HASH' : undefined;
}

function wrongFormat({ format }: Property, text: string, path: string): string | undefined {
  if (format === undefined) return undefined;
  try {
    checkFormat(format, text, path);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return `invalid format - ${describeFailure(error)}`;
  }
}

function checkFormat(format: string | PropertyStringFormat, text: string, path: string): void {
  if (typeof format !== 'string' || FORMATS[format]?.kind === 'property-string') {
    readPropertyString(format, text, path);
    return;
  }
  const [, name = format, kind] = /^(.*?)(?:-(list|opt))?$/.exec(format) ?? [];
  const parts = kind === 'list' ? splitList(text) : kind === 'opt' && text === '' ? [] : [text];
  for (const part of parts) {
    const wrong = CODE_FORMATS[name]?.(part);
    if (wrong !== undefined) throw new Failure(500, `${wrong}\n`);
  }
}

/** The properties of a format, given by name or in place. */
export function propertiesOf(format: string | PropertyStringFormat): Record<string, Property> {
  const found = typeof format === 'string' ? FORMATS[format] : format;
  if (!found?.properties) throw new Error(`not a property string format: ${JSON.stringify(format)}`);
  return found.properties;
}

/** Takes a property string apart and checks it. `path` stands in front of the keys in the texts. */
export function readPropertyString(
  format: string | PropertyStringFormat,
  text: string,
  path: string,
): Record<string, string> {
  const properties = propertiesOf(format);
  const values = splitPropertyString(properties, text);
  const errors = noErrors();
  checkObject(values, properties, path, errors);
  if (Object.keys(errors).length > 0) throw new Failure(500, 'format error\n', errors);
  const wrong = typeof format === 'string' ? PROPERTY_STRING_RULES[format]?.(values) : undefined;
  if (wrong !== undefined) throw new Failure(500, `${wrong}\n`);
  return values;
}

function wrongText(property: Property, text: string): string | undefined {
  const { pattern, maxLength, minLength, enum: words } = property;
  if (pattern !== undefined && !schemaPattern(pattern).test(text))
    return 'value does not match the regex pattern';
  // Perl counts characters, not UTF-16 units
  const length = [...text].length;
  if (maxLength !== undefined && length > maxLength) return `value may only be ${maxLength} characters long`;
  if (minLength !== undefined && length < minLength) {
    return `value must be at least ${minLength} characters long`;
  }
  const range = isNumber(text) ? wrongRange(property, Number(text)) : undefined;
  if (range !== undefined) return range;
  if (!words || words.includes(text)) return undefined;
  return `value '${text}' does not have a value in the enumeration '${words.join(', ')}'`;
}

function wrongRange({ maximum, minimum }: Property, value: number): string | undefined {
  if (maximum !== undefined && value > maximum) return `value must have a maximum value of ${maximum}`;
  if (minimum !== undefined && value < minimum) return `value must have a minimum value of ${minimum}`;
  return undefined;
}
