import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NUMBERS, TEXTS } from '../../../simulator/cli/option-table';
import { parseOptions } from '../../../simulator/cli/options';
import { usage } from '../../../simulator/cli/usage';
import { variableOf } from '../../../simulator/cli/variables';

test.each(Object.entries(NUMBERS))('%s can be set by its variable', (name, { otherwise }) => {
  const wanted = otherwise + 1;
  const byFlag = parseOptions([`--${name}`, String(wanted)], {});
  expect(parseOptions([], { [variableOf(name)]: String(wanted) })).toEqual(byFlag);
  expect(byFlag).not.toEqual(parseOptions([], {}));
});

test.each(Object.keys(TEXTS))('%s can be set by its variable', name => {
  const byFlag = parseOptions([`--${name}`, 'some'], {});
  expect(parseOptions([], { [variableOf(name)]: 'some' })).toEqual(byFlag);
  expect(byFlag).not.toEqual(parseOptions([], {}));
});

test('a flag wins, and an empty variable is none', () => {
  expect(parseOptions(['--nodes', '5'], { PVE_SIM_NODES: '7' }).nodes).toBe(5);
  expect(parseOptions([], { PVE_SIM_NODES: '' }).nodes).toBe(3);
});

test.each([
  ['PVE_SIM_PORT', 'x', "PVE_SIM_PORT needs a whole number, from 0 to 65535; 'x' is not one"],
  ['PVE_SIM_NODES', '0', "PVE_SIM_NODES needs a whole number, from 1 to 64; '0' is not one"],
  ['PVE_SIM_NODE', '3', "Unknown variable 'PVE_SIM_NODE'. Did you mean PVE_SIM_NODES?"],
  ['PVE_SIM_FOO', '3', "Unknown variable 'PVE_SIM_FOO'. --help lists them."],
  ['PVE_SIM_ZZZZZZZZZZ', '3', "Unknown variable 'PVE_SIM_ZZZZZZZZZZ'. --help lists them."],
  ['PVE_SIM_PORT', 'tcp://10.0.0.1:8006', 'PVE_SIM_PORT is a link to a service of Kubernetes'],
  ['PVE_SIM_SERVICE_HOST', '10.0.0.1', 'set enableServiceLinks: false'],
])('%s=%s is refused by its name', (name, value, error) => {
  expect(() => parseOptions([], { [name]: value })).toThrow(error);
});

test('help is shown whatever the environment says', () => {
  expect(parseOptions(['--help'], { PVE_SIM_PORT: 'x' }).help).toBe(true);
});

test('the help and the page name each option', () => {
  const page = readFileSync(join(__dirname, '../../../docs/simulator.md'), 'utf8');
  for (const name of Object.keys({ ...TEXTS, ...NUMBERS })) {
    expect(usage([])).toContain(`  --${name} `);
    expect(page).toContain(`\`--${name} `);
  }
});
