/**
 * Finds the source of a file that is imported by the name it will have when it is built: `./plan.js` is `./plan.ts`.
 * @param {string} request
 * @param {{ defaultResolver: (request: string, options: object) => string }} options
 */
module.exports = (request, options) => {
  try {
    return options.defaultResolver(request, options);
  } catch (error) {
    if (!/^\..*\.js$/.test(request)) throw error;
    return options.defaultResolver(request.replace(/\.js$/, '.ts'), options);
  }
};
