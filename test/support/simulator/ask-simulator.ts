import { setTimeout as pause } from 'node:timers/promises';
import { sendRaw } from '../api/raw-client';
import type { Ready } from '../api/simulator-program';

/** Asks as a token, and gives what the answer holds. */
export async function ask(
  { url, tokenId, tokenSecret }: Pick<Ready, 'url' | 'tokenId' | 'tokenSecret'>,
  method: string,
  path: string,
  params: Record<string, string> = {},
): Promise<{ status: number; data: unknown }> {
  const body = new URLSearchParams(params).toString();
  const { status, text } = await sendRaw(`${url}/api2/json`, {
    method,
    path,
    headers: {
      authorization: `PVEAPIToken=${tokenId}=${tokenSecret}`,
      ...(body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(body === '' ? {} : { body }),
  });
  const json: { data?: unknown } = JSON.parse(text);
  return { status, data: json.data };
}

/** Waits for the end of the task that an answer names. */
export async function ended(ready: Parameters<typeof ask>[0], upid: unknown): Promise<void> {
  const path = `/nodes/${String(upid).split(':')[1]}/tasks/${encodeURIComponent(String(upid))}/status`;
  for (;;) {
    const { data } = await ask(ready, 'GET', path);
    if ((data as { status?: string } | undefined)?.status === 'stopped') return;
    await pause(50);
  }
}
