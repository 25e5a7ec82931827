// Few rules, and typed ones. What to do about each of them is said in scripts/lint-report.mjs.
import { builtinModules } from 'node:module';
import tseslint from 'typescript-eslint';

const bare = builtinModules.filter(name => !name.startsWith('node:') && !name.startsWith('_'));
const bareName = `/^(${bare.join('|').replaceAll('/', '\\u002F')})$/`;
const prefix = "Write 'node:' before the name of a module of Node.";

// What is made, leaves, runs or is left has one word each: create, leaving, running task, after failure, fleet.
const refused = ['birth', 'born', 'newborn', 'doomed', 'aftermath', 'underWay', 'roster', 'company'];
const inside = refused.map(word => `${word[0].toUpperCase()}${word.slice(1)}`);
const plainName = `^(?!${refused.join('|')})(?!.*(${inside.join('|')}|BIRTH|DOOMED))`;

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'simulator/dist/',
      'simulator/clients/',
      '**/cdktf.out/',
      '.engine/',
      '.setup/',
      '**/node_modules/',
      'test/contract/recordings/',
      '**/*.cjs',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '{scripts,review-action}/**/*.mjs'],
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    plugins: { '@typescript-eslint': tseslint.plugin },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-require-imports': 'error',
      'no-restricted-imports': ['error', { paths: bare.map(name => ({ name, message: prefix })) }],
      'no-restricted-syntax': [
        'error',
        { selector: `ImportExpression[source.value=${bareName}]`, message: prefix },
      ],
      'id-match': ['error', plainName, { properties: true }],
      'max-lines': ['error', { max: 250 }],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['reconciler/**/*.ts'],
    ignores: ['reconciler/{cli,program}.ts', 'reconciler/{client,commands}/**', 'reconciler/worker/serve.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['argv', 'stdin', 'stdout', 'stderr', 'exit', 'exitCode'].map(property => ({
          object: 'process',
          property,
          message: 'Only commands/ and client/ know the command line and its streams.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': 'off',
      'max-lines-per-function': 'off',
    },
  },
);
