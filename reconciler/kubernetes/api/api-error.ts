/** What the API server answered that is no success, or why there was no answer (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly said: string,
    /** The request, as `PATCH /apis/…`. */
    readonly request: string,
    /** How long the server asks to wait. */
    readonly retryAfterMs: number | undefined = undefined,
  ) {
    super(`Kubernetes: ${request}: ${status === 0 ? said : `${status}: ${said}`}`);
  }
}

export function isStatus(error: unknown, ...statuses: number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}
