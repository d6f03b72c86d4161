import { settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** Everything that has no route of its own, the wrong method on a known path too; it needs no key and no grant. */
export const addUnknownRoutes = ({ config, functions, api }: Resources): void => {
  const unknown = functions.create('unknown-route', {
    description: 'Says that there is no such endpoint',
    timeoutSeconds: 28,
    memoryMegabytes: 256,
    grants: settings({}),
  });
  // A greedy part does not match the root itself, whose GET leads to the console.
  api.route('ANY', '/', unknown, { throttle: 'public' });
  api.route('ANY', '/{proxy+}', unknown, { throttle: 'public' });
  // Browsers send a preflight before the requests of allowed pages: these need the stage's own limits.
  if (config.allowedOrigins.length > 0) api.route('OPTIONS', '/{proxy+}', unknown);
};
