import type * as z from 'zod/mini';
import type { Feature } from '../../platform/domain/features.ts';
import type { DialectName } from '../../platform/openapi/error-responses.ts';
import type { Operation } from '../../platform/openapi/operation.ts';
import type { HttpRequest } from '../../platform/runtime/http.ts';
import type { Caller, KeyKind } from '../domain/api-key.ts';
import type { CallerAction } from '../domain/audit.ts';
import type { Role } from '../domain/roles.ts';

/**
 * An endpoint, declared once in the `api` folder of its slice. The role check, the request that its Lambda receives, the
 * route and its throttle, the OpenAPI operation and the monitoring of the route are derived from the declaration.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As in the OpenAPI document. */
  readonly path: string;
  /** The path at the gateway, if it cannot be the documented one. */
  readonly route?: string;
  /** Other routes of the same operation, with the parameters of the first one. The document does not repeat them. */
  readonly alsoAt?: readonly string[];
  readonly summary: string;
  /** The role that a person, and a person's key, needs. `public` endpoints need no key. */
  readonly role: Role | 'public';
  /** Undefined for endpoints that every deployment has. */
  readonly feature?: Feature;
  /**
   * `uncached` looks up every key and session, so that an ended one cannot create credentials or links. `overdue` also
   * accepts a session that must be renewed before anything else.
   */
  readonly access?: 'uncached' | 'overdue';
  /** Limits of its own, because it occupies a function for long. */
  readonly throttle?: 'slow';
  /** Reads the query; `queryAll` returns all values of a list. */
  readonly query?: (query: HttpRequest['query'], queryAll: HttpRequest['queryAll']) => unknown;
  readonly body?: z.core.$ZodType;
  readonly isBodyOptional?: true;
};

type Options = Omit<Endpoint, 'method' | 'path' | 'summary' | 'role' | 'feature'>;

const declare =
  <const Method extends Endpoint['method']>(method: Method, feature?: Feature) =>
  <const Path extends string, const Needed extends Endpoint['role'], const More extends Options>(
    path: Path,
    summary: string,
    role: Needed,
    more?: More,
  ) =>
    Object.assign({ method, path, summary, role, ...(feature !== undefined && { feature }) }, more);

export const GET = declare('GET');
export const POST = declare('POST');
export const DELETE = declare('DELETE');

/** The same for the endpoints of a feature, which a deployment can leave out. */
export const declareFor = (feature: Feature) => ({
  GET: declare('GET', feature),
  POST: declare('POST', feature),
  DELETE: declare('DELETE', feature),
});

export const isIncluded = ({ feature }: Pick<Endpoint, 'feature'>, features: readonly Feature[]): boolean =>
  feature === undefined || features.includes(feature);

/** The path of everything that belongs to an account, each of which is one project. */
export const PROJECT = '/v1/organization/projects/{project_id}';

const ADMINISTRATION = /^\/v1\/(?:organization|console)\//;

/** The kind of API keys that an endpoint accepts, besides the sessions of the console. */
export const acceptedKeys = ({ path }: Endpoint): KeyKind => (ADMINISTRATION.test(path) ? 'admin' : 'plain');

/** Below these, only Google's clients call; some paths of `/v1` they share with OpenAI's. */
const GOOGLE_PATH =
  /^\/(?:v1beta1?(?!\w)|upload\/v1(?:beta)?(?!\w)|v1\/(?:operations\/|projects\/|publishers\/|models\/[^/:]+(?::|\/operations\/)))/i;

export const isGooglePath = (path: string): boolean => GOOGLE_PATH.test(path);

/** Google's endpoints have another place for the key, and another format of errors. */
export const dialectName = ({ path }: Endpoint): DialectName => (isGooglePath(path) ? 'native' : 'openAi');

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Greedy}+` ? Greedy : Name) | PathNames<Rest>
  : never;

type RoutePath<Declared extends Endpoint> = Declared extends { readonly route: infer Route extends string }
  ? Route
  : Declared['path'];

/** The request that the Lambda of an endpoint receives, with what the declaration says already parsed. */
export type EndpointRequest<Declared extends Endpoint> = Omit<HttpRequest, 'path' | 'query' | 'body'> & {
  readonly caller: Caller;
  readonly action: CallerAction;
  readonly path: Readonly<Record<PathNames<RoutePath<Declared>>, string>>;
  readonly query: Declared extends {
    readonly query: (query: HttpRequest['query'], queryAll: HttpRequest['queryAll']) => infer Query;
  }
    ? Query
    : HttpRequest['query'];
  readonly body: Declared extends { readonly body: infer Body extends z.core.$ZodType }
    ? z.output<Body>
    : HttpRequest['body'];
};

export const routePath = ({ route, path }: Endpoint): string => route ?? path;

/** All routes of the gateway that lead to an endpoint. */
export const servedRoutes = (endpoint: Endpoint): readonly string[] => [
  routePath(endpoint),
  ...(endpoint.alsoAt ?? []),
];

const PATH_NAME = /\{(\w+)\+?\}/g;

export const pathNames = (declared: Endpoint): string[] =>
  Array.from(routePath(declared).matchAll(PATH_NAME), ([, name = '']) => name);

/** Narrows a request whose query and body were parsed as declared. */
export const requestGuard = <Declared extends Endpoint>(declared: Declared) => {
  const names = pathNames(declared);
  return (request: {
    readonly path: Readonly<Record<string, string>>;
  }): request is EndpointRequest<Declared> => names.every((name) => Object.hasOwn(request.path, name));
};

/** The parts of an operation that only the OpenAPI document needs. */
type OperationPart = Omit<Operation, 'method' | 'path' | 'id' | 'summary' | 'dialect' | 'bodyIsOptional'>;

const METHODS = { GET: 'get', POST: 'post', DELETE: 'delete' } as const;

/** The operations of declared endpoints, in their order. An endpoint without a description does not compile. */
export const toOperations = <const Endpoints extends Readonly<Record<string, Endpoint>>>(
  endpoints: Endpoints,
  parts: { readonly [Id in keyof Endpoints & string]: OperationPart },
): Operation[] => {
  const described = new Map(Object.entries<OperationPart>(parts));
  return Object.entries<Endpoint>(endpoints).flatMap(([id, endpoint]) => {
    const part = described.get(id);
    const { method, path, summary, role, isBodyOptional } = endpoint;
    if (part === undefined) return [];
    return {
      // A path that names a resource can name one that does not exist.
      ...(role !== 'public' && path.includes('{') && { errors: ['not_found'] as const }),
      ...part,
      id,
      method: METHODS[method],
      path,
      summary,
      ...(role === 'public' ? {} : { dialect: dialectName(endpoint) }),
      ...(isBodyOptional === true ? { bodyIsOptional: true } : {}),
    };
  });
};
