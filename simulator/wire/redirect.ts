import type { Admitted, Service } from './connection';
import type { Head } from './head';
import type { Reply } from './reply';

/** Sends plain HTTP to https on the same port. */
export class RedirectService implements Service {
  readonly idleMs: number;

  constructor(private readonly secure: Service) {
    this.idleMs = secure.idleMs;
  }

  defect(error: unknown): void {
    this.secure.defect(error);
  }

  now(): number {
    return this.secure.now();
  }

  admit({ method, target, headers }: Head): Admitted | Reply {
    const location = `https://${headers.get('host') ?? 'localhost'}${target}`;
    const keepsMethod = method !== 'GET' && method !== 'HEAD';
    return keepsMethod
      ? { status: 308, reason: 'Permanent Redirect', location }
      : { status: 301, reason: 'Moved Permanently', location };
  }
}
