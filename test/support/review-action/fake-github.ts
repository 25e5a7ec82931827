import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Comment {
  id: number;
  body: string;
  user: { login: string };
  html_url: string;
}

/** GitHub's limit of a comment, in characters. */
const MOST = 65_536;
export const BOT = 'github-actions[bot]';

/** The part of GitHub's API that the action uses, over real HTTP: the comments of one pull request, in pages. */
export class FakeGitHub {
  readonly comments: Comment[] = [];
  readonly requests: string[] = [];
  /** Each write is refused with this, as of a token that may not. */
  refusesWith: number | undefined;
  /** What befalls each answer after its head. */
  answers: 'whole' | 'breaks off' | 'is no JSON' = 'whole';
  /** Called before a comment is changed: somebody else acts in between. */
  beforeChange: () => void = () => undefined;
  private next = 1;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  add(login: string, body: string): Comment {
    const id = this.next++;
    const comment = { id, body, user: { login }, html_url: `https://github.test/o/r/pull/7#c${id}` };
    this.comments.push(comment);
    return comment;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const line = `${request.method} ${pathname}`;
    this.requests.push(line);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const [status, body] = this.answerTo(line, searchParams, Buffer.concat(chunks).toString());
    response.writeHead(status, { 'content-type': 'application/json' });
    if (this.answers === 'breaks off') response.write('[', () => response.destroy());
    else response.end(this.answers === 'whole' ? JSON.stringify(body) : '<html>');
  }

  private answerTo(line: string, query: URLSearchParams, sent: string): [number, unknown] {
    if (line === 'GET /repos/o/r/issues/7/comments') {
      const [size, page] = ['per_page', 'page'].map(name => Number(query.get(name)));
      return [200, this.comments.slice((page! - 1) * size!, page! * size!)];
    }
    if (this.refusesWith !== undefined)
      return [this.refusesWith, { message: 'Resource not accessible by integration\n::error::not ours' }];
    const { body } = JSON.parse(sent) as { body: string };
    if (body.length > MOST) return [422, { message: 'body is too long (maximum is 65536 characters)' }];
    if (line === 'POST /repos/o/r/issues/7/comments') return [201, this.add(BOT, body)];
    this.beforeChange();
    const found = this.comments.find(({ id }) => line === `PATCH /repos/o/r/issues/comments/${id}`);
    if (found === undefined) return [404, { message: 'Not Found' }];
    found.body = body;
    return [200, found];
  }
}
