import { connect, createServer, type Socket } from 'node:net';

/** A cable to a server. While it is cut, nothing gets through in either direction, and nobody is told. */
export async function cableTo(port: number) {
  const pairs = new Set<[Socket, Socket]>();
  const sent: Buffer[] = [];
  let isCut = false;
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1');
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const ends = (): void => {
      pairs.delete(pair);
      // of a cut cable neither end hears anything
      if (isCut) return;
      near.destroy();
      far.destroy();
    };
    near.on('data', bytes => sent.push(bytes));
    near.on('data', bytes => isCut || far.write(bytes));
    far.on('data', bytes => isCut || near.write(bytes));
    for (const socket of pair) socket.on('error', () => undefined).on('close', ends);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** All that the near ends have sent. */
    sent: (): string => Buffer.concat(sent).toString('latin1'),
    cut: (): void => void (isCut = true),
    /** What was sent meanwhile is lost, as are the connections. */
    mend: (): void => {
      isCut = false;
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
    close: async (): Promise<void> => {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export type Cable = Awaited<ReturnType<typeof cableTo>>;
