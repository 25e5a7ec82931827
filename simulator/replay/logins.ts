import { isRow } from '../record/shape';
import type { Answer } from './compare';
import type { Request } from './request';
import { form } from './request';
import type { Step } from './step';

/** With what a scenario logs in. */
export interface Credentials {
  /** Who plays `root`. */
  user: string;
  passwords: Readonly<Record<string, string>>;
  /** Secrets by the whole id of the token. */
  tokens: Readonly<Record<string, string>>;
  /** The token that plays `root` where his password is not known. */
  rootToken?: string;
}

interface Ticket {
  ticket: string;
  csrf: string;
}

/** The logins of one scenario: who its steps are, in the words of FORMAT.md. */
export class Logins {
  private readonly tickets = new Map<string, Ticket>();

  constructor(
    private readonly known: Credentials,
    private readonly send: (request: Request) => Promise<Answer>,
  ) {}

  /** Why nobody can be this; undefined: somebody can. */
  whyNot(as: string): string | undefined {
    const { passwords, tokens } = this.known;
    if (as.startsWith('token:')) {
      const id = as.slice('token:'.length);
      return id.includes('=') || Object.hasOwn(tokens, id)
        ? undefined
        : `the secret of the token ${id} is not known`;
    }
    if (!as.startsWith('user:') && as !== 'root') return undefined;
    if (as === 'root' && this.known.rootToken !== undefined) return undefined;
    const user = this.userOf(as);
    return Object.hasOwn(passwords, user) ? undefined : `the password of ${user} is not known`;
  }

  /** The headers of a step; its `as` is filled in already. */
  async headersFor({
    as,
    method,
    noCsrf,
  }: Pick<Step, 'as' | 'method' | 'noCsrf'>): Promise<Record<string, string>> {
    if (as === 'none') return {};
    const { rootToken, tokens, passwords } = this.known;
    if (as.startsWith('token:')) return this.byToken(as.slice('token:'.length));
    if (as.startsWith('ticket:')) return byTicket(as);
    const user = this.userOf(as);
    if (as === 'root' && rootToken !== undefined && !Object.hasOwn(passwords, user))
      return { authorization: `PVEAPIToken=${rootToken}=${tokens[rootToken] ?? ''}` };
    const { ticket, csrf } = this.tickets.get(user) ?? (await this.login(user));
    const token = method === 'GET' || noCsrf ? {} : { csrfpreventiontoken: csrf };
    return { cookie: cookieOf(ticket), ...token };
  }

  private userOf(as: string): string {
    return as === 'root' ? this.known.user : as.slice('user:'.length);
  }

  private byToken(token: string): Record<string, string> {
    const full = token.includes('=') ? token : `${token}=${this.known.tokens[token] ?? ''}`;
    return { authorization: `PVEAPIToken=${full}` };
  }

  private async login(username: string): Promise<Ticket> {
    const { status, reason, text } = await this.send({
      method: 'POST',
      path: '/access/ticket',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form({ username, password: this.known.passwords[username] ?? '' }),
    });
    const ticket = status === 200 ? ticketIn(text) : undefined;
    if (!ticket)
      throw new Error(
        `the login of ${username} was not taken: ${status} ${reason}. Give the right password; running again is safe`,
      );
    this.tickets.set(username, ticket);
    return ticket;
  }
}

const cookieOf = (ticket: string): string => `PVEAuthCookie=${encodeURIComponent(ticket)}`;

function byTicket(as: string): Record<string, string> {
  const parts = new Map(as.split(',').map(part => [part.split(':')[0] ?? '', part.replace(/^[^:]*:/, '')]));
  const csrf = parts.get('csrf');
  return {
    cookie: cookieOf(parts.get('ticket') ?? ''),
    ...(csrf === undefined ? {} : { csrfpreventiontoken: csrf }),
  };
}

function ticketIn(text: string): Ticket | undefined {
  const answer: unknown = JSON.parse(text);
  const data = isRow(answer) ? answer['data'] : undefined;
  if (!isRow(data) || typeof data['ticket'] !== 'string') return undefined;
  return { ticket: data['ticket'], csrf: String(data['CSRFPreventionToken']) };
}
