import { settings } from '../lambda/grant.ts';
import type { Resources } from '../resources/resources.ts';

/** Everything that has no route of its own, the wrong method on a known path too; it needs no key and no grant. */
export const addUnknownRoutes = ({ functions, api }: Resources): void => {
  const unknown = functions.create('unknown-route', {
    description: 'Says that there is no such endpoint',
    timeoutSeconds: 28,
    memoryMegabytes: 256,
    grants: settings({}),
  });
  // A greedy part does not match the root itself, whose GET leads to the console.
  api.route('ANY', '/', unknown);
  api.route('ANY', '/{proxy+}', unknown);
};
