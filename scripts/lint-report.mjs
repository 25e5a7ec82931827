// Prints eslint's findings, one line each, and under them what to do about each rule that spoke.

/** @type {Record<string, string>} */
const remedies = {
  '@typescript-eslint/no-floating-promises': 'await it, return it, or say `void` and why nobody waits.',
  '@typescript-eslint/switch-exhaustiveness-check': 'add a case for each value named.',
  '@typescript-eslint/consistent-type-imports': 'write `import type`.',
  '@typescript-eslint/no-explicit-any': 'name the type; where nothing is known write `unknown` and parse it.',
  '@typescript-eslint/consistent-type-assertions':
    'an `as` hides a wrong shape: parse the value with a schema, or disable this one line with the reason.',
  '@typescript-eslint/no-non-null-assertion': 'handle the absent value, or throw an error that names it.',
  '@typescript-eslint/no-require-imports': 'write `import`, or `await import()` where it must be late.',
  'id-match':
    'use the word of the house: create (no birth), leaving (not doomed), running task (not under way), after failure (no aftermath), fleet (no roster, no company).',
  'no-restricted-properties': 'take what you need as an argument, and let reconciler/commands give it.',
  'max-lines':
    'two things live in this file: give each its own. A table of data may be longer: disable this rule in it, with the reason.',
  'max-lines-per-function': 'name a part of it and move that part into a function of its own.',
  'unused eslint-disable': 'delete the comment: nothing is wrong on that line any more.',
};

/** @param {import('eslint').ESLint.LintResult[]} results @param {{ cwd: string }} context */
export default function report(results, { cwd }) {
  const findings = results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, column, message, ruleId, fatal }) => ({
      rule: ruleId ?? (fatal ? 'syntax' : 'unused eslint-disable'),
      where: `${filePath.replace(`${cwd}/`, '')}:${line}:${column}`,
      message,
    })),
  );
  const rules = [...new Set(findings.map(({ rule }) => rule))];
  return [
    ...findings.map(({ where, message, rule }) => `${where} ${message} (${rule})`),
    ...rules.map(rule => `${rule}: ${remedies[rule] ?? 'see the message.'}`),
  ].join('\n');
}
