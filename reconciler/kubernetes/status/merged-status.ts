import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../../spec';
import { visibleTexts } from '../../report/visible';
import type { Json } from '../api/client';

/** One statement about a resource. Since when it holds is found out when it is written. */
export interface Statement {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason: string;
  message: string;
}

/** What is to be said of a resource. */
export interface WantedStatus {
  generation: number;
  /** Absent: the fields stay as they are, but for these. */
  fields?: Json;
  changes?: Json;
  /** Those of other types stay. */
  conditions: readonly Statement[];
}

/** What changes while nothing changes: it is written only beside something else. */
const RESTLESS = ['lastUpdated', 'lastHealthCheck', 'used'];
const LONGEST_MESSAGE = 32_000;

/** The status that a resource is to have; undefined: it has it. `now`: as Kubernetes writes times. Pure. */
export function statusAfter(current: unknown, wanted: WantedStatus, now: string): Json | undefined {
  const before = isRecord(current) ? current : {};
  const { conditions: _, ...rest } = before;
  const shown = visibleTexts({ ...(wanted.fields ?? rest), ...wanted.changes });
  const next = {
    ...(isRecord(shown) ? shown : {}),
    observedGeneration: wanted.generation,
    conditions: conditionsAfter(before['conditions'], wanted, now),
  };
  return isDeepStrictEqual(lasting(next), lasting(before)) ? undefined : next;
}

function conditionsAfter(current: unknown, { conditions, generation }: WantedStatus, now: string): Json[] {
  const before = Array.isArray(current) ? current.filter(isRecord) : [];
  const said = conditions.map(({ type, status, reason, message }) => {
    const last = before.find(each => each['type'] === type);
    const isSame = last?.['status'] === status && typeof last['lastTransitionTime'] === 'string';
    return {
      ...{ type, status, reason, observedGeneration: generation },
      message: String(visibleTexts(message)).slice(0, LONGEST_MESSAGE),
      lastTransitionTime: isSame ? last['lastTransitionTime'] : now,
    };
  });
  const others = before.filter(each => !conditions.some(({ type }) => type === each['type']));
  return [...said, ...others];
}

/** What of a status is a reason to write it, as Kubernetes would keep it. */
function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => inner !== undefined && !RESTLESS.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, lasting(inner)]));
}

/** The time of now, as Kubernetes writes it. */
export function timeNow(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}
