/** Where a server listens. Without a host: on every address of the machine. */
export interface Address {
  host: string | undefined;
  port: number;
}

/** Reads `host:port`, `[::1]:port` or `:port`; undefined for anything else. */
export function addressOf(text: string): Address | undefined {
  const [, six, plain = '', digits = ''] =
    /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s/]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === '' || port > 65_535) return undefined;
  const host = six ?? plain;
  return { host: host === '' ? undefined : host, port };
}

/** An address as people write it. */
export function addressText({ host = '', port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
