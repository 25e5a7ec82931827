/** A request or a task that ends as Proxmox ends it: a status, a text, and for parameters one text each. */
export class Failure extends Error {
  override readonly name = 'Failure';
  constructor(
    readonly status: number,
    message: string,
    readonly errors?: Record<string, string>,
  ) {
    super(message);
  }
}

/** What the proxy between two processes says when it has no answer to pass on: a status, a reason and no body. */
export class GatewayFailure extends Failure {}

/** The everyday failure: status 500 and a text. */
export function fail(text: string): never {
  throw new Failure(500, text);
}

/** A 400 that names parameters. */
export function failParameters(errors: Record<string, string>): never {
  throw new Failure(400, 'Parameter verification failed.', errors);
}

/** A 403. Without `what` Proxmox gives the bare text. */
export function deny(what?: string): never {
  throw new Failure(
    403,
    what === undefined ? 'Permission check failed' : `Permission check failed (${what})`,
  );
}
