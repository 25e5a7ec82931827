import * as z from 'zod';
import { errorOf, reasonOf, type WireAnswer, readAnswer } from '../answers/read-answer';
import type { Credentials } from './pve-config';
import { PveError } from '../answers/errors';
import type { Secrets } from '../answers/masked-secrets';
import { totp } from './totp';
import type { Transport } from './transport';
import { flag } from '../answers/wire-values';

/** Who we are to Proxmox. */
export interface Session {
  /** Headers for one request; logs in first where that is needed. */
  headers(transport: Transport, method: string): Promise<Record<string, string>>;
  /** After a 401. True: the credentials were renewed, the request may be sent once more. */
  renew(): boolean;
}

/** `secrets`: takes what is sent and received on the way and must never be shown. */
export function sessionFor(credentials: Credentials, secrets: Secrets): Session {
  if (credentials.kind === 'password') return new TicketSession(credentials, secrets);
  const { id, secret } = credentials;
  secrets.add(secret);
  const headers = { authorization: `PVEAPIToken=${id}=${secret}` };
  return { headers: () => Promise.resolve(headers), renew: () => false };
}

interface Ticket {
  ticket: string;
  csrf: string;
  renewAt: number;
}

const LoginAnswer = z.object({
  ticket: z.string(),
  CSRFPreventionToken: z.string().optional(),
  NeedTFA: flag.optional(),
});

/** Proxmox's tickets live two hours. */
const HALF_LIFE_MS = 3_600_000;

class TicketSession implements Session {
  private current: Promise<Ticket> | undefined;

  constructor(
    private readonly credentials: Extract<Credentials, { kind: 'password' }>,
    private readonly secrets: Secrets,
  ) {
    secrets.add(credentials.password);
    secrets.add(credentials.totpSecret);
  }

  async headers(transport: Transport, method: string): Promise<Record<string, string>> {
    const { ticket, csrf } = await this.ticket(transport);
    const cookie = `PVEAuthCookie=${inCookie(ticket)}`;
    return method === 'GET' ? { cookie } : { cookie, csrfpreventiontoken: csrf };
  }

  renew(): boolean {
    this.current = undefined;
    return true;
  }

  /** One login at a time: whoever comes while it is under way waits for the same. */
  private async ticket(transport: Transport): Promise<Ticket> {
    const known = this.current;
    const ticket = known && (await known);
    if (ticket && performance.now() < ticket.renewAt) return ticket;
    if (this.current === known) {
      const login = this.login(transport, ticket?.ticket);
      this.current = login;
      login.catch(() => {
        if (this.current === login) this.current = undefined;
      });
    }
    return this.current ?? this.login(transport, undefined);
  }

  private async login(transport: Transport, oldTicket: string | undefined): Promise<Ticket> {
    const { username, password, totpSecret } = this.credentials;
    // a ticket that is still good stands for the password
    const first = await this.post(transport, { username, password: oldTicket ?? password });
    if (first.NeedTFA !== true) return ticketOf(first);
    if (totpSecret === undefined) {
      throw new PveError('unauthenticated', {
        ...LOGIN,
        text: `${username} needs a second factor; give PVE_TOTP_SECRET, or use an API token`,
      });
    }
    const code = `totp:${totp(totpSecret, Date.now())}`;
    return ticketOf(await this.post(transport, { username, 'tfa-challenge': first.ticket, password: code }));
  }

  private async post(
    transport: Transport,
    form: Record<string, string>,
  ): Promise<z.infer<typeof LoginAnswer>> {
    const answer = await transport.send({
      ...LOGIN,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    if (answer.status >= 400) throw errorOf(LOGIN, named(answer, this.credentials), this.secrets);
    const told = readAnswer({ ...LOGIN, answer: LoginAnswer }, answer);
    this.secrets.add(told.ticket);
    this.secrets.add(told.CSRFPreventionToken);
    return told;
  }
}

/**
 * Proxmox decodes percent signs in its cookie and nothing else (AnyEvent.pm uri_unescape: a `+` stays), so that a ticket
 * may go as it is, which servers that decode nothing understand too. Only what a cookie cannot hold is encoded.
 */
function inCookie(ticket: string): string {
  return /^[!#$&-+\--:<-[\]-~]*$/.test(ticket) ? ticket : encodeURIComponent(ticket);
}

/** A refused login says who was refused: the id, never the secret. */
export function named(answer: WireAnswer, credentials: Credentials): WireAnswer {
  if (answer.status !== 401) return answer;
  const who = credentials.kind === 'token' ? `token ${credentials.id}` : `user ${credentials.username}`;
  return { ...answer, reason: `${reasonOf(answer).replace(/[.!]$/, '')} (${who})`, text: '' };
}

const LOGIN = { method: 'POST', path: '/access/ticket' } as const;

function ticketOf({ ticket, CSRFPreventionToken }: z.infer<typeof LoginAnswer>): Ticket {
  return { ticket, csrf: CSRFPreventionToken ?? '', renewAt: performance.now() + HALF_LIFE_MS };
}
