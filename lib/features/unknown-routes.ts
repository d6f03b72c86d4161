import { settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** API Gateway refuses settings for ANY, so a throttle needs a route for each method; GET brings HEAD. */
const METHODS = ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** Everything that has no route of its own, including other methods of known paths; it needs no key and no grant. */
export const addUnknownRoutes = ({ config, functions, api }: Resources): void => {
  const unknown = functions.create('unknown-route', {
    description: 'Says that there is no such endpoint',
    timeoutSeconds: 28,
    memoryMegabytes: 256,
    grants: settings({}),
  });
  for (const method of METHODS) {
    // Browsers send a preflight before each request of an allowed page: these need the limits of the stage.
    const isPreflight = method === 'OPTIONS' && config.allowedOrigins.length > 0;
    const options = isPreflight ? {} : { throttle: 'public' as const };
    api.route(method, '/{proxy+}', unknown, options);
    // A greedy part does not match the root itself, whose GET leads to the console.
    if (method !== 'GET') api.route(method, '/', unknown, options);
  }
};
