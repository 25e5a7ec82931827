/** What is answered to a request. */
export interface Answer {
  status: number;
  type: string;
  text: string;
}

/** An answer in words. */
export function plain(status: number, text: string): Answer {
  return { status, type: 'text/plain', text };
}

/** Nothing is kept by anybody, and a page runs nothing but its own script. */
export function headersFor({ status, type, text }: Answer): Record<string, string | number> {
  return {
    'content-type': type.includes('charset') ? type : `${type}; charset=utf-8`,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none'",
    ...(status === 405 && { allow: 'GET, HEAD' }),
  };
}
