import {
  type Endpoint,
  isIncluded,
  pathNames,
  routePath,
  servedRoutes,
} from '../../functions/identity/api/declare-endpoint.ts';
import { ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import type { Feature } from '../../functions/platform/domain/features.ts';
import type { LambdaModule, Variables } from '../../functions/platform/runtime/environment.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Grant } from '../lambda/service-function.ts';
import type { Api } from './rest-api.ts';

type EndpointOptions = {
  readonly memoryMegabytes?: number;
  /** Longer than the stream, for functions that go on after the response. */
  readonly timeoutSeconds?: number;
  /** Streams the response for up to this long; a buffered response is limited to 29 seconds and 10 MB. */
  readonly streamSeconds?: number;
  readonly isGradual?: boolean;
  /** Leaves out the route for HEAD. */
  readonly isOnlyGet?: boolean;
  /** Paths that depend on the configuration, instead of the declared one. */
  readonly routes?: readonly string[];
};

/** Less than the 29 seconds for which the gateway waits. */
const BUFFERED_SECONDS = 28;

const gatewayRoute = (endpoint: Endpoint): string => `${endpoint.method} ${routePath(endpoint)}`;

const findEndpoint = (functionName: string): Endpoint => {
  const id = functionName.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const endpoint = ENDPOINTS[id];
  if (endpoint === undefined) throw new Error(`there is no endpoint ${id}`);
  return endpoint;
};

/**
 * Creates the functions of declared endpoints, each from the file of its name, and routes the endpoints to them. A
 * function without endpoints serves the one with its name: `create-video` serves `createVideo`. Endpoints of features
 * that are left out have no route, and a function without any other does not exist.
 */
export const endpointServer = (functions: Functions, api: Api, features: readonly Feature[]) => {
  const known = new Set<string>();

  const serve = <Module extends LambdaModule = never>(
    named: string | readonly [name: string, ...Endpoint[]],
    grants: Grant<Variables<NoInfer<Module>>>,
    {
      memoryMegabytes = 1024,
      isGradual = false,
      isOnlyGet = false,
      streamSeconds,
      timeoutSeconds,
      routes,
    }: EndpointOptions = {},
  ): void => {
    const [name, ...given] = typeof named === 'string' ? ([named] as const) : named;
    const endpoints = (given.length === 0 ? [findEndpoint(name)] : given).filter((each) =>
      isIncluded(each, features),
    );
    if (endpoints.length === 0) return;
    const created = functions.create<Module>(name, {
      description: [...new Set(endpoints.map(({ summary }) => summary))].join('; '),
      timeoutSeconds: timeoutSeconds ?? streamSeconds ?? BUFFERED_SECONDS,
      memoryMegabytes,
      isGradual,
      grants,
    });
    for (const endpoint of endpoints) {
      known.add(gatewayRoute(endpoint));
      const throttle = endpoint.role === 'public' ? 'public' : endpoint.throttle;
      for (const path of routes ?? servedRoutes(endpoint)) {
        const missing = pathNames(endpoint).find((parameter) => !path.includes(`{${parameter}`));
        if (missing !== undefined)
          throw new Error(`${name} expects ${missing}, which the route ${path} lacks`);
        api.route(endpoint.method, path, created, {
          isOnlyGet,
          ...(throttle === undefined ? {} : { throttle }),
          ...(streamSeconds === undefined ? {} : { streamSeconds }),
        });
      }
    }
  };

  /** A declared endpoint is documented, so it must have a function unless its feature is left out. */
  const assertServed = (declared: Readonly<Record<string, Endpoint>>): void => {
    const forgotten = Object.entries(declared).filter(
      ([, endpoint]) => isIncluded(endpoint, features) && !known.has(gatewayRoute(endpoint)),
    );
    if (forgotten.length > 0)
      throw new Error(`no function serves ${forgotten.map(([name]) => name).join(', ')}`);
  };

  return { serve, assertServed };
};
