import { counted } from '../errors';
import { CHECKS, type Check, type Finding } from './finding';

/** What was found at one cluster. */
export interface ClusterFindings {
  /** Empty for what belongs to none. */
  cluster: string;
  findings: readonly Finding[];
  /** The last check that could be made: `locks` where no desired state is given. */
  reached: Check | 'all';
  /** It is reached over plain http alone: there is no certificate. */
  isPlainHttp?: boolean;
}

type Result = 'ok' | 'warning' | 'fault' | 'not checked' | 'not used';

/** How each check ended, over all clusters. */
function results(all: readonly ClusterFindings[]): { check: Check; result: Result }[] {
  const reached = Math.min(
    ...all
      .filter(
        ({ cluster, findings }) => cluster !== '' || findings.some(each => each.check === 'configuration'),
      )
      .map(each => (each.reached === 'all' ? CHECKS.length : CHECKS.indexOf(each.reached))),
  );
  const findings = all.flatMap(each => each.findings);
  const clusters = all.filter(({ cluster }) => cluster !== '');
  const isUnused = (check: Check): boolean =>
    check === 'tls' && clusters.length > 0 && clusters.every(each => each.isPlainHttp === true);
  return CHECKS.map((check, index) => {
    const levels = findings.filter(each => each.check === check).map(({ level }) => level);
    const worst = levels.includes('fault') ? 'fault' : levels[0];
    const isReached = index <= reached || check === 'worker';
    return { check, result: worst ?? (isUnused(check) ? 'not used' : isReached ? 'ok' : 'not checked') };
  });
}

/** For people: each check with how it ended, and below it what was found and what to do. */
export function doctorText(all: readonly ClusterFindings[]): string {
  const isOne = all.filter(({ cluster }) => cluster !== '').length < 2;
  const lines = results(all).flatMap(({ check, result }) => [
    `${result.padEnd(11)}  ${check}${whyNot(result, all)}`,
    ...all.flatMap(({ cluster, findings }) =>
      findings
        .filter(finding => finding.check === check)
        .flatMap(({ says, remedy }) => [
          `    ${isOne || cluster === '' ? '' : `${cluster}: `}${says.replaceAll('\n', '\n      ')}`,
          `      ${remedy.replaceAll('\n', '\n      ')}`,
        ]),
    ),
  ]);
  const findings = all.flatMap(each => each.findings);
  const faults = findings.filter(({ level }) => level === 'fault').length;
  const counts = [
    counted(faults, 'fault', 'faults'),
    counted(findings.length - faults, 'warning', 'warnings'),
  ];
  return [...lines, `${counts.join(', ')}. Nothing was changed.`].join('\n');
}

function whyNot(result: Result, all: readonly ClusterFindings[]): string {
  if (result === 'not used') return ': plain http on this machine';
  const hasNoState = all.some(({ reached }) => reached === 'locks');
  return result === 'not checked' && hasNoState ? ': give the desired state with --spec or --manifests' : '';
}

/** The same for programs. */
export function doctorJson(all: readonly ClusterFindings[]): object {
  const findings = all.flatMap(({ cluster, findings: own }) =>
    own.map(finding => ({ ...(cluster !== '' && { cluster }), ...finding })),
  );
  return { ok: findings.every(({ level }) => level !== 'fault'), checks: results(all), findings };
}
