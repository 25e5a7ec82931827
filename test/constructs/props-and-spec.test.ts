import type * as z from 'zod';
import {
  ClusterSpec,
  ImageSpec,
  MachineClass as MachineClassSpec,
  MachineSettings,
  MachineSpec,
  NodeSpec,
  PreparedImage,
  Reference as ReferenceSpec,
} from '../../spec';
import { propsChoices, propsFields, undocumented } from '../support/constructs/props-fields';
import { schemaChoices } from '../support/spec/schema-choices';
import { schemaFields } from '../support/spec/schema-fields';

/** Fields that the reconciler refuses until it does them: no program may say them yet. */
const NOT_YET = ['limits.clonesPerStorage', 'revertTo'];

/** Fields whose value is made by a class, and how the schema lists them. */
const MADE_BY_CLASS: Record<string, z.ZodType> = {
  image: ImageSpec,
  template: PreparedImage,
  ...Object.fromEntries(
    ['password', 'userData', 'networkData', 'vendorData', 'metaData'].map(name => [
      `cloudInit.${name}From`,
      ReferenceSpec,
    ]),
  ),
};

/** What only the constructs have. */
const ONLY_PROPS: Record<string, string[]> = {
  MachineProps: ['class', 'dependsOn'],
  PreparedImageProps: ['dependsOn'],
  ProxmoxClusterProps: ['owner'],
};

function expected(schema: z.ZodType): string[] {
  const paths = schemaFields(schema)
    .map(field => Object.keys(MADE_BY_CLASS).find(made => field.startsWith(`${made}.`)) ?? field)
    .filter(
      field => !NOT_YET.some(name => field === name || new RegExp(`^${name}(?:From)?\\.?`).test(field)),
    );
  return [...new Set(paths)].sort();
}

test.each<[string, z.ZodType]>([
  ['MachineProps', MachineSpec],
  ['MachineSettingsProps', MachineSettings],
  ['MachineClassProps', MachineClassSpec],
  ['ProxmoxNodeProps', NodeSpec],
  ['PreparedImageProps', PreparedImage],
])('%s has exactly the fields of the spec, at every level', (name, schema) => {
  const fields = propsFields(name).filter(field => !(ONLY_PROPS[name] ?? []).includes(field));
  expect(fields.sort()).toEqual(expected(schema));
});

test('ProxmoxClusterProps has exactly the fields of the spec, and settings as its defaults', () => {
  const settings = (field: string): boolean => field.startsWith('defaults.');
  const fields = propsFields('ProxmoxClusterProps').filter(field => field !== 'owner');
  const withoutCredentials = expected(ClusterSpec).map(field =>
    field === 'credentials.prefix' ? 'credentials' : field,
  );
  expect(fields.filter(field => !settings(field)).sort()).toEqual(
    withoutCredentials.filter(field => !settings(field)).sort(),
  );
  expect(
    fields
      .filter(settings)
      .map(field => field.slice('defaults.'.length))
      .sort(),
  ).toEqual(expected(MachineSettings));
});

test.each<[string, z.ZodType]>([
  ['MachineProps', MachineSpec],
  ['MachineClassProps', MachineClassSpec],
  ['ProxmoxNodeProps', NodeSpec],
  ['ProxmoxClusterProps', ClusterSpec],
])('%s has exactly the choices of the spec', (name, schema) => {
  const wanted = Object.entries(schemaChoices(schema)).filter(([field]) => !/(^|\.)image\./.test(field));
  expect(propsChoices(name)).toEqual(Object.fromEntries(wanted));
});

test('the kinds of clone are those of the spec', () => {
  expect(propsChoices('CloneKind')).toEqual({ '': schemaChoices(ImageSpec)['clone'] });
});

test('everything that programs write says what it is, and each option its default', () => {
  expect(undocumented()).toEqual([]);
});
