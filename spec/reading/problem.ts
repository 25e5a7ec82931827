import { formatPath, valueAt, type Path } from './path';
import { showValue } from './show-value';

/** What is wrong with one field, enough to mend it without the documentation. */
export interface Problem {
  /** Where, with ids and names: `machines[web].disks[root].size`. */
  readonly path: string;
  /** The same as keys and indices from the root. */
  readonly at: Path;
  readonly kind: 'missing' | 'unknown-field' | 'invalid' | 'conflict' | 'unknown-value';
  /** What was given, as JSON; never a secret. Absent when nothing was given. */
  readonly value?: string;
  readonly reason: string;
  readonly allowed?: string;
  readonly remedy: string;
}

/** A problem before its path and value are made readable. */
export interface Finding {
  readonly path: Path;
  /** What was given, where it is only a part of the value at the path. */
  readonly given?: unknown;
  readonly kind?: Problem['kind'];
  readonly reason: string;
  readonly allowed?: string | undefined;
  readonly remedy: string;
}

/** Findings about a part, as findings about the whole. */
export function* under(at: Path, findings: Iterable<Finding>): Iterable<Finding> {
  for (const finding of findings) yield { ...finding, path: [...at, ...finding.path] };
}

/** The problem that a finding is, read against the document that it was found in. */
export function problemOf(finding: Finding, root: unknown): Problem {
  const value = finding.kind === 'unknown-value' ? undefined : (finding.given ?? valueAt(root, finding.path));
  return {
    path: formatPath(finding.path, root),
    at: finding.path,
    kind: finding.kind ?? 'conflict',
    ...(value !== undefined && { value: showValue(value, finding.path) }),
    reason: finding.reason,
    ...(finding.allowed !== undefined && { allowed: finding.allowed }),
    remedy: finding.remedy,
  };
}

/** One line a problem: where, what was given, what is wrong, what is allowed, what to do. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(formatProblem).join('\n');
}

function formatProblem({ path, value, reason, allowed, remedy }: Problem): string {
  const given = value === undefined ? '' : `${value} `;
  const may = allowed === undefined ? '' : `; allowed: ${allowed}`;
  return `${path === '' ? '(document)' : path}: ${given}${reason}${may}. ${remedy}`;
}
