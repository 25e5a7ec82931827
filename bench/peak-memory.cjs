// @ts-check
// Required beside a program: tells the most memory that its process ever held, as the last line of stderr.
process.on('exit', () => process.stderr.write(`${process.resourceUsage().maxRSS}\n`));
