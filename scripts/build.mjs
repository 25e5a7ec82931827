// npm run build: dist/. It does nothing when neither a source nor a product has changed since the last build.
import './setup/node-version.mjs';
import { build } from './setup/build.mjs';
import { withLock } from './setup/lock.mjs';
import { bringUpToDate } from './setup/step.mjs';

try {
  const isNew = await withLock(() => bringUpToDate(build, () => true));
  console.error(`build: ${isNew ? 'dist/ is new' : 'nothing has changed'}`);
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
