import { defaultWorld, startSimulator } from './index';

async function main(): Promise<void> {
  const { url } = await startSimulator(defaultWorld(3));
  process.stdout.write(`${JSON.stringify({ url, pid: process.pid })}\n`);
}

void main();
