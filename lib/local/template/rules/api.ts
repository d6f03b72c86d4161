import * as z from 'zod';
import type { DeployedTemplate, Problem } from '../deployed-template.ts';
import { ofType, propertyRule, type Rule } from './rule.ts';

/** Rules of API Gateway for the body of the API, its stage and its domain. */

const MAX_RESOURCES = 300;
const PATH_PART = /^(?:[\w.:-]+|\{[\w.-]+\+?\})$/;

/** None for the root. */
export const pathParts = (path: string): readonly string[] => path.split('/').slice(path === '/' ? 2 : 1);

/** Each path prefix is one resource. */
const countResources = (paths: readonly string[]): number =>
  new Set(
    paths.flatMap((path) =>
      pathParts(path).map((_, position, parts) => parts.slice(0, position + 1).join('/')),
    ),
  ).size;

const invalidPath = (paths: readonly string[]): string | undefined => {
  const invalid = paths.find((path) => !pathParts(path).every((part) => PATH_PART.test(part)));
  return invalid === undefined ? undefined : `API Gateway does not accept the path ${invalid}`;
};

/** A resource with two different path variables below it. */
const siblingVariables = (paths: readonly string[]): string | undefined => {
  const variables = new Map<string, string>();
  for (const parts of paths.map(pathParts))
    for (const [position, part] of parts.entries()) {
      if (!part.startsWith('{')) continue;
      const parent = parts.slice(0, position).join('/');
      if ((variables.get(parent) ?? part) !== part)
        return `API Gateway allows only one path variable below /${parent}`;
      variables.set(parent, part);
    }
  return undefined;
};

const tooManyResources = (paths: readonly string[]): string | undefined =>
  countResources(paths) > MAX_RESOURCES ? `API Gateway allows at most ${MAX_RESOURCES} resources` : undefined;

const bodySchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
});

const apiBodies = (deployed: DeployedTemplate) =>
  ofType(deployed, 'AWS::ApiGateway::RestApi').map(
    ({ logicalId, properties }) => [logicalId, bodySchema.parse(properties.Body ?? {})] as const,
  );

const pathRule = (
  name: string,
  source: string,
  problem: (paths: readonly string[]) => string | undefined,
): Rule => ({
  name,
  source,
  check: (deployed) =>
    apiBodies(deployed).flatMap(([logicalId, { paths }]): Problem[] => {
      const reason = problem(Object.keys(paths));
      return reason === undefined ? [] : [[logicalId, reason]];
    }),
});

/** In milliseconds; that for buffered responses is the default quota. */
const [SHORTEST, LONGEST_BUFFERED, LONGEST_STREAM] = [50, 29_000, 900_000];

const operationSchema = z.looseObject({
  'x-amazon-apigateway-integration': z.looseObject({
    timeoutInMillis: z.number().default(LONGEST_BUFFERED),
    responseTransferMode: z.string().default('BUFFERED'),
  }),
});

const timeoutProblems = (deployed: DeployedTemplate): readonly Problem[] =>
  apiBodies(deployed).flatMap(([logicalId, { paths }]) =>
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap((operation): Problem[] => {
        const integration = operationSchema.safeParse(operation).data?.['x-amazon-apigateway-integration'];
        if (integration === undefined) return [];
        const { timeoutInMillis, responseTransferMode } = integration;
        const isStream = responseTransferMode === 'STREAM';
        const longest = isStream ? LONGEST_STREAM : LONGEST_BUFFERED;
        const kind = isStream ? 'streamed' : 'buffered';
        return timeoutInMillis >= SHORTEST && timeoutInMillis <= longest
          ? []
          : [[logicalId, `${path}: the timeout of a ${kind} response is at most ${longest / 1000} seconds`]];
      }),
    ),
  );

/** Each of these fields of a method setting is one patch operation of UpdateStage. */
const PATCHED_FIELDS = new Set([
  'CacheDataEncrypted',
  'CacheTtlInSeconds',
  'CachingEnabled',
  'DataTraceEnabled',
  'LoggingLevel',
  'MetricsEnabled',
  'ThrottlingBurstLimit',
  'ThrottlingRateLimit',
]);

/** API Gateway rejects an update of a stage with "Update size too large"; tools send at most this many operations. */
const MAX_PATCH_OPERATIONS = 80;

export const countPatchOperations = (settings: readonly object[]): number =>
  settings.flatMap((setting) => Object.keys(setting)).filter((field) => PATCHED_FIELDS.has(field)).length;

const settings = z
  .array(z.record(z.string(), z.unknown()))
  .refine((all) => countPatchOperations(all) <= MAX_PATCH_OPERATIONS, {
    error: ({ input }) =>
      `Update size too large: the settings take ${countPatchOperations(z.array(z.looseObject({})).parse(input))} patch operations, and ${MAX_PATCH_OPERATIONS} are safe in one update of a stage`,
  });

/** API Gateway accepts settings for all methods or for one method of one resource, but not for ANY. */
const methodSetting = z
  .looseObject({
    HttpMethod: z.enum(['*', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']).default('*'),
    ResourcePath: z
      .string()
      .regex(/^\/[^/]*$/, 'must encode slashes as ~1')
      .default('/*'),
  })
  .refine(({ HttpMethod, ResourcePath }) => (HttpMethod === '*') === (ResourcePath === '/*'), {
    error: 'API Gateway requires a wildcard for both the method and the path, or for neither',
  });

/** Properties with the ARN of a resource that must be in the region of the stack. */
const REGIONAL_ARNS: readonly (readonly [type: string, property: string])[] = [
  ['AWS::ApiGateway::DomainName', 'RegionalCertificateArn'],
  ['AWS::WAFv2::WebACLAssociation', 'WebACLArn'],
  ['AWS::Logs::LogGroup', 'KmsKeyId'],
  ['AWS::SNS::Topic', 'KmsMasterKeyId'],
  ['AWS::SQS::Queue', 'KmsMasterKeyId'],
];

const regionProblems = (deployed: DeployedTemplate): readonly Problem[] =>
  REGIONAL_ARNS.flatMap(([type, property]) =>
    ofType(deployed, type).flatMap(({ logicalId, properties }): Problem[] => {
      const [prefix, , , region] = String(properties[property]).split(':');
      return prefix !== 'arn' || region === deployed.environment.region
        ? []
        : [[logicalId, `${property}: must be in the region of the stack, and is in ${region}`]];
    }),
  );

export const API_RULES: readonly Rule[] = [
  pathRule('API path', 'API Gateway API: CreateResource', invalidPath),
  pathRule(
    'sibling path variables',
    'API Gateway: "A sibling of this resource already has a variable path part"',
    siblingVariables,
  ),
  pathRule('API resources', 'API Gateway quotas: resources per API', tooManyResources),
  {
    name: 'integration timeout',
    source: 'API Gateway quotas: integration timeout; Response streaming',
    check: timeoutProblems,
  },
  propertyRule(
    'stage settings',
    'API Gateway API: UpdateStage',
    'AWS::ApiGateway::Stage',
    z.looseObject({ MethodSettings: z.array(methodSetting).optional() }),
  ),
  propertyRule(
    'stage patch operations',
    'API Gateway: "Update size too large"',
    'AWS::ApiGateway::Stage',
    z.looseObject({ MethodSettings: settings.optional() }),
  ),
  {
    name: 'region of other resources',
    source: 'API Gateway, WAF and KMS developer guides: regional resources',
    check: regionProblems,
  },
];
