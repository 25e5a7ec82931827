import { cleanTree } from './rules-kept';
import type { Plant } from './rules-broken';
import { plants } from './rules-broken';
import type { Ran } from './copied-tree';
import { plantTree, removeTree, root, run, runChecks } from './copied-tree';

const checks = [...new Set(plants.map(({ check }) => check))];

/** How each check names a fault: the rule and the file it stands in. */
const findings: Record<Plant['check'], RegExp> = {
  rooms: /error (?<rule>[\w-]+): (?<file>\S+)/g,
  lint: /^(?<file>\S+?):\d+:\d+ .* \((?<rule>[^()]+)\)$/gm,
  types: /^(?<file>\S+?)\(\d+,\d+\): error (?<rule>TS\d+)/gm,
  format: /^\[warn\] (?<file>\S+\.ts)$/gm,
  unused: /^(?<rule>\w+) +(?<file>[\w/.]+\.ts):/gm,
  unit: /^FAIL unit (?<file>test\S+)/gm,
};

function faultsIn(check: Plant['check'], output: string): string[] {
  const found = [...output.matchAll(findings[check])].map(
    ({ groups }) => `${groups?.rule ?? check} in ${groups?.file}`,
  );
  return [...new Set(found)].sort();
}

const faultsOf = ({ rule, files }: Plant) => Object.keys(files).map(file => `${rule} in ${file}`);
const words = (text: string) => text.replaceAll(/\s+/g, ' ');

const ran = new Map<string, Ran>();
const trees: string[] = [];

async function runOn(name: string, files: Readonly<Record<string, string>>, ...names: string[]) {
  const tree = plantTree(files);
  trees.push(tree);
  ran.set(name, await runChecks(tree, ...names));
}

beforeAll(async () => {
  await runOn('clean', cleanTree, ...checks);
  await Promise.all(
    checks.map(check => {
      const planted = plants.filter(plant => plant.check === check).map(({ files }) => files);
      return runOn(check, Object.assign({}, cleanTree, ...planted), check);
    }),
  );
}, 400_000);

afterAll(() => trees.forEach(removeTree));

test('a tree that keeps every rule is green', () => {
  const clean = ran.get('clean');
  expect(clean?.output).not.toMatch(/FAIL/);
  expect(clean?.code).toBe(0);
  for (const check of checks) expect(clean?.output).toMatch(new RegExp(`^ok +${check} `, 'm'));
});

test.each(checks)('%s turns red by what was planted, and by nothing else', check => {
  const { code, output = '' } = ran.get(check) ?? {};
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^FAIL +${check} .*(—|:) \\w+`, 'm'));
  const planted = plants.filter(plant => plant.check === check).flatMap(faultsOf);
  expect(faultsIn(check, output).filter(fault => !planted.includes(fault))).toEqual([]);
});

const named = plants.map(plant => [plant.check, plant.rule, Object.keys(plant.files)[0], plant] as const);
test.each(named)('%s: %s catches %s and says what to do', (check, _rule, _file, plant) => {
  const output = ran.get(check)?.output ?? '';
  expect(faultsIn(check, output)).toContain(faultsOf(plant)[0]);
  expect(words(output)).toContain(plant.says);
});

const planted = (check: Plant['check']) =>
  new Set(plants.filter(plant => plant.check === check).map(plant => plant.rule));

test('each room rule has a plant', () => {
  const { forbidden } = jest.requireActual<{ forbidden: { name: string }[] }>(
    '../../.dependency-cruiser.cjs',
  );
  expect(planted('rooms')).toEqual(new Set(forbidden.map(({ name }) => name)));
});

test('each lint rule has a plant', async () => {
  const { stdout } = await run(root, 'node_modules/.bin/eslint', '--print-config', 'reconciler/plan/plan.ts');
  const { rules } = JSON.parse(stdout) as { rules: Record<string, [severity: number]> };
  expect(Object.entries(rules).filter(([, [severity]]) => severity !== 2)).toEqual([]);
  expect(planted('lint')).toEqual(new Set([...Object.keys(rules), 'unused eslint-disable']));
}, 30_000);
