/**
 * Preloaded into AWS's runtime client: its native part asks for events and posts whole answers, over the same HTTP that
 * its JavaScript speaks, and is built from source on installation. A streamed function needs neither.
 */
import { registerHooks } from 'node:module';

const NATIVE_CLIENT = 'rapid-client.node';

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier.endsWith(NATIVE_CLIENT)
      ? { url: new URL(`${NATIVE_CLIENT}.cjs`, import.meta.url).href, format: 'commonjs', shortCircuit: true }
      : nextResolve(specifier, context),
  load: (url, context, nextLoad) =>
    url.endsWith(`${NATIVE_CLIENT}.cjs`)
      ? { format: 'commonjs', source: 'module.exports = {};', shortCircuit: true }
      : nextLoad(url, context),
});
