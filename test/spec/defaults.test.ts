import { ALWAYS, AT_CREATE, jsonSchemas, MachineSpec, MachineSettings, parseMachine } from '../../spec';
import { machine, parsedCluster, valueOf } from './sample';

interface Json {
  readonly default?: unknown;
  readonly defaultKind?: string;
  readonly description?: string;
  readonly properties?: Record<string, Json>;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
}

/** Every default of a JSON Schema, by path, with its kind. */
function defaultsIn(schema: Json, path = ''): [string, string | undefined, unknown][] {
  const own: [string, string | undefined, unknown][] =
    'default' in schema ? [[path, schema.defaultKind, schema.default]] : [];
  const inner = Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    defaultsIn(value, path === '' ? key : `${path}.${key}`),
  );
  const listed = schema.items === undefined ? [] : defaultsIn(schema.items, `${path}[]`);
  const either = (schema.anyOf ?? []).flatMap(option => defaultsIn(option, path));
  return [...own, ...inner, ...listed, ...either];
}

const schemas = jsonSchemas() as Record<string, Json>;
const inMachine = defaultsIn(schemas.machine!);

test('each default of a machine is of its create or of always, and no other', () => {
  expect(
    inMachine
      .filter(([, kind]) => kind === 'create')
      .map(([path]) => path)
      .sort(),
  ).toEqual([
    'disks[].type',
    'efiDisk.type',
    'image.clone',
    'networks[].model',
    'osType',
    'scsiController',
    'tpm.version',
  ]);
  expect(
    inMachine
      .filter(([, kind]) => kind === 'always')
      .map(([path]) => path)
      .sort(),
  ).toEqual([
    'adopt',
    'cloudInit.passwordVersion',
    'cloudInit.waitForCompletion',
    'disks[].onRemove',
    'forceStop',
    'keptVolumes',
    'mode',
    'onImageChange',
    'pin',
    'placement.affinity[].mode',
    'placement.antiAffinity[].mode',
    'placement.strategy',
    'power',
    'rebuildOn',
    'restart',
    'shutdownTimeout',
    'snapshotBeforeChange.keep',
    'timeouts.agent',
    'timeouts.apply',
    'timeouts.cloudInit',
    'timeouts.create',
    'timeouts.destroy',
    'waitFor',
  ]);
  expect(inMachine.filter(([, kind]) => kind !== 'create' && kind !== 'always')).toEqual([]);
});

test('the defaults that users are promised', () => {
  expect(AT_CREATE).toMatchObject({
    disk: { type: 'scsi' },
    scsiController: 'virtio-scsi-single',
    image: { clone: 'linked' },
  });
  expect(ALWAYS).toMatchObject({
    power: 'running',
    restart: 'never',
    shutdownTimeout: '60s',
    forceStop: true,
  });
  expect(ALWAYS.cluster).toMatchObject({
    vmidRange: { from: 10_000, to: 99_999 },
    limits: { clonesPerTemplate: 4, tasksPerNode: 8, requests: 8 },
    taskTimeout: '5m',
    pollFloor: '50ms',
    pollCeiling: '2s',
  });
});

test('parsing writes no default in', () => {
  expect(valueOf(parseMachine({ id: 'web' }))).toEqual({ id: 'web' });
  expect(parsedCluster({})).toEqual({ name: 'lab' });
});

test('every default would be accepted, had the user said it', () => {
  const clusterDefaults = defaultsIn(schemas.cluster!);
  const topLevel = (defaults: typeof inMachine) =>
    defaults.filter(([path]) => /^\w+$/.test(path)).map(([path, , value]) => [path, value]);
  const { adopt, pin, ...said } = Object.fromEntries(topLevel(inMachine));
  expect([adopt, pin]).toEqual([false, false]);
  expect(parseMachine(machine(said)).ok).toBe(true);
  expect(parsedCluster(Object.fromEntries(topLevel(clusterDefaults)))).toMatchObject({ name: 'lab' });
});

test('settings are all the fields of a machine but who it is', () => {
  const identity = Object.keys(MachineSpec.shape).filter(field => !(field in MachineSettings.shape));
  expect(identity.sort()).toEqual([
    'adopt',
    'asTemplate',
    'clear',
    'cluster',
    'formerIds',
    'id',
    'name',
    'revertTo',
    'vmid',
  ]);
});

test('every field of every document that people write is described', () => {
  const bare = (schema: Json, path: string): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([key, value]) => [
      ...(value.description === undefined ? [`${path}.${key}`] : []),
      ...bare(value, `${path}.${key}`),
      ...bare(value.items ?? {}, `${path}.${key}[]`),
    ]);
  expect(bare(schemas['desired-state']!, '')).toEqual([]);
});

test('every document has a JSON Schema that refuses fields it does not know', () => {
  for (const name of ['desired-state', 'machine', 'cluster', 'node', 'outputs']) {
    expect(schemas[name]).toMatchObject({ type: 'object', additionalProperties: false });
  }
});
