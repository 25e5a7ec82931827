import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { headless } from './chromium';

type Answer = Record<string, unknown>;

/** A page in a headless Chromium, driven by the browser's own protocol. It reaches 127.0.0.1 and nothing else. */
export async function browserPage() {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const child = spawn(
    'chromium',
    [
      ...headless(profile),
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--remote-debugging-port=0',
      // the simulator has an authority of its own
      '--ignore-certificate-errors',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()));
  const address = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('error', reject);
    child.once('exit', code => reject(new Error(`chromium ended with ${code}: ${text}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const [, found] = /DevTools listening on (\S+)/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const send = await conversation(address);
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const toPage = (method: string, params: Answer = {}): Promise<Answer> =>
    send(method, params, String(sessionId));
  /** What an expression comes to in the page; of a promise, what it comes to. */
  const value = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await toPage('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  };
  const whole = async (): Promise<Answer> => {
    const { cssContentSize } = await toPage('Page.getLayoutMetrics');
    return { ...(cssContentSize as Answer), scale: 1 };
  };
  return {
    /** Shows an address in a window of this width. */
    show: async (url: string, width: number): Promise<void> => {
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: false };
      await toPage('Emulation.setDeviceMetricsOverride', size);
      await toPage('Page.navigate', { url });
      // Chromium answers before the new page has a body.
      while ((await value<string>('document.readyState')) !== 'complete')
        await new Promise(resolve => setTimeout(resolve, 20));
    },
    value,
    /** What the person prefers: pages that follow it change at once. */
    prefer: async (scheme: 'light' | 'dark'): Promise<void> => {
      await toPage('Emulation.setEmulatedMedia', {
        features: [{ name: 'prefers-color-scheme', value: scheme }],
      });
    },
    /** Presses a key, as a person who has no mouse. */
    press: async (key: 'Tab' | 'Enter' | 'ArrowDown'): Promise<void> => {
      const code = { Tab: 9, Enter: 13, ArrowDown: 40 }[key];
      const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' && { text: '\r' }) };
      await toPage('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
      await toPage('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    },
    type: async (text: string): Promise<void> => {
      await toPage('Input.insertText', { text });
    },
    /** What the window shows; only its upper part where a height is given. */
    picture: async (width = 0, height = 0): Promise<Buffer> => {
      const clip = { x: 0, y: 0, width, height, scale: 1 };
      const taken = await toPage('Page.captureScreenshot', height === 0 ? {} : { clip });
      return Buffer.from(String(taken['data']), 'base64');
    },
    /** The whole page, also what is below the window. */
    whole: async (): Promise<Buffer> => {
      const taken = await toPage('Page.captureScreenshot', {
        captureBeyondViewport: true,
        clip: await whole(),
      });
      return Buffer.from(String(taken['data']), 'base64');
    },
    close: async (): Promise<void> => {
      child.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Sends commands, and gives the answer of each. */
async function conversation(address: string) {
  const socket = new WebSocket(address);
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error(`no conversation at ${address}`)), {
      once: true,
    });
  });
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as {
      id?: number;
      result?: Answer;
      error?: Answer;
    };
    const asked = id === undefined ? undefined : waiting.get(id);
    if (result) asked?.resolve(result);
    else asked?.reject(new Error(JSON.stringify(error)));
  });
  let last = 0;
  return (method: string, params: Answer = {}, sessionId?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) }));
    });
}
