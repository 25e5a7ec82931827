// @ts-nocheck undici declares no types for its inner files
/**
 * The part of undici that the reconciler uses, in undici's place when the program is bundled: the whole of it is more
 * than twice as large, and every start would read it. It is put together as undici's own index does.
 */
const Dispatcher = require('../../node_modules/undici/lib/dispatcher/dispatcher.js');

Object.assign(Dispatcher.prototype, require('../../node_modules/undici/lib/api/index.js'));
exports.Pool = require('../../node_modules/undici/lib/dispatcher/pool.js');
exports.buildConnector = require('../../node_modules/undici/lib/core/connect.js');
