// @ts-nocheck -- it replaces a function of Node's modules
/**
 * Lets whoever is about to give its socket the name that all look for wait until a second one is: both have found nobody
 * there by then. The processes meet in the folder that this file was copied to. `node --require` this.
 */
const fs = require('node:fs');
const { renameSync } = fs;

fs.renameSync = (from, to) => {
  fs.writeFileSync(`${__dirname}/at-the-door-${process.pid}`, '');
  while (fs.readdirSync(__dirname).filter(name => name.startsWith('at-the-door-')).length < 2);
  renameSync(from, to);
};
