const swc = require('@swc/jest');

/**
 * Compiles a file for jest. What a file becomes does not depend on its suite: the suites of a checkout share what was
 * compiled, so that a new one compiles each file once and not five times.
 * @param {Parameters<typeof swc.createTransformer>[0]} options
 */
exports.createTransformer = options => {
  const transformer = swc.createTransformer(options);
  return {
    ...transformer,
    /** @type {NonNullable<typeof transformer.getCacheKey>} */
    getCacheKey: (source, file, asked) =>
      transformer.getCacheKey?.(source, file, { ...asked, configString: asked.config.rootDir }) ?? '',
  };
};
