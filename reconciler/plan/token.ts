import { randomBytes } from 'node:crypto';
import { PlanToken } from '../../spec';

/** A token that no earlier plan gave, and what it says to apply. */
export function freshToken(said: Omit<PlanToken, 'n'>): string {
  const token: PlanToken = { n: randomBytes(9).toString('base64url'), ...said };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

/** What a token says of the plan that it comes from; nothing for a token of another kind. */
export function tokenOf(text: string): Partial<PlanToken> {
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const parsed = PlanToken.safeParse(json);
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}
