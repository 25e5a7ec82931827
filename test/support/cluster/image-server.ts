import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A qcow2 header that says this size, and nothing behind it. */
export function qcow2(bytes: number, seed = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write('QFI\xfb', 'latin1');
  header.writeUInt32BE(3, 4);
  header.writeBigUInt64BE(BigInt(bytes), 24);
  header.write(seed, 128);
  return header;
}

/** A server of disk images on 127.0.0.1: who asks gets a real answer over a real socket. */
export async function imageServer(files: Record<string, Buffer>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request;
    asked.push(`${method} ${url}`);
    const data = files[url];
    response.writeHead(data ? 200 : 404, { 'content-length': data?.length ?? 0 });
    response.end(method === 'HEAD' ? undefined : data);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const { port } = server.address() as AddressInfo;
  return {
    files,
    /** How often a file was really sent. */
    downloads: () => asked.filter(line => line.startsWith('GET ')).length,
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  };
}

export type ImageServer = Awaited<ReturnType<typeof imageServer>>;

export const sha256 = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;
