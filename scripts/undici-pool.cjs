// @ts-nocheck undici declares no types for its inner files
/**
 * The part of undici that the reconciler uses, in undici's place when the program is bundled: the whole of it is five
 * times as large, and every start would read it. The names are checked by the types of `import('undici')`.
 */
exports.Pool = require('../node_modules/undici/lib/dispatcher/pool.js');
exports.buildConnector = require('../node_modules/undici/lib/core/connect.js');
