import { Construct } from 'constructs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './copied-tree';

// Our folder `constructs/` has the name of an npm package. The bare import must stay the package.
const ours = join(root, 'constructs', 'index.ts');

function resolvedBy(configuration: string, more: ts.CompilerOptions = {}) {
  const { config } = ts.readConfigFile(join(root, configuration), path => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const from = join(root, 'constructs', 'machine.ts');
  return ts.resolveModuleName('constructs', from, { ...options, ...more }, ts.sys).resolvedModule;
}

test.each(['tsconfig.json', 'tsconfig.build.json'])('%s takes the bare import for the package', name => {
  expect(resolvedBy(name)?.packageId?.name).toBe('constructs');
});

test('with a baseUrl it would be our folder', () => {
  expect(resolvedBy('tsconfig.json', { baseUrl: root })?.resolvedFileName).toBe(ours);
});

test('jest takes the bare import for the package', () => {
  expect(require.resolve('constructs')).toContain(join('node_modules', 'constructs'));
  expect(Construct.isConstruct(new Construct(undefined as never, ''))).toBe(true);
});
