// Imported first, for its effect: an old node gets one sentence, not a syntax error from some dependency.
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 20) {
  console.error(
    `set-up stopped: this needs node 20 or newer and ${process.execPath} is ${process.version}: install one from https://nodejs.org and run the same command again.`,
  );
  process.exit(1);
}
