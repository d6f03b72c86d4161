import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isIncluded, servedRoutes } from '../../../functions/identity/api/declare-endpoint.ts';
import { SERVED_ENDPOINTS } from '../../../functions/openapi/api/endpoints.ts';
import { FEATURES, type Feature } from '../../../functions/platform/domain/features.ts';
import { CONFIGURATIONS } from '../../../lib/evidence/configurations.ts';
import { findRefusals } from '../../../lib/local/template/aws-rules.ts';
import { templateSchema } from '../../../lib/local/template/template.ts';
import { apiBody, type Template, templateWith } from './synthesized-template.ts';

/** Names and variables that only the feature has. */
const WORDS: Readonly<Record<Feature, RegExp>> = {
  webhooks: /(?<!HAS_)webhook/i,
  shares: /SHARE_TABLE|Shares(?:Table|Errors)|ShareTable|-share/,
  collections: /collection/i,
  mcp: /\bmcp\b/i,
  people: /MEMBER_TABLE|Members|invitation|-person/,
  google: /native-|Native|get-operation|predict-long-running|model-action|publisher/,
  responses: /-response\b|v1\/responses/,
};

/** Each name of a video model has a route of its own. */
const toDeclared = (route: string): string =>
  route.replace(/\/[\w.-]+:predictLongRunning$/, '/*:predictLongRunning');

/** Routes that refuse what the service does not offer, and those of the gateway itself. */
const isUndeclared = (route: string): boolean =>
  /^(?:X-AMAZON|HEAD|OPTIONS) |^\S+ \/\{proxy\+\}$|^x-amazon\S* \/$| \/v1\/videos\/characters|^POST \/v1\/videos\/\{task_id\}(?:\/remix)?$|^(?:GET|DELETE) \/mcp$/i.test(
    route,
  );

const routesOf = (template: Template): readonly string[] =>
  Object.entries(apiBody(template).paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => toDeclared(`${method.toUpperCase()} ${path}`)),
  );

const declaredRoutes = (features: readonly Feature[]): readonly string[] =>
  SERVED_ENDPOINTS.filter((endpoint) => isIncluded(endpoint, features)).flatMap((endpoint) =>
    servedRoutes(endpoint).map((route) => `${endpoint.method} ${route}`),
  );

const sorted = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

const environment = {
  region: 'us-east-1',
  accountId: '000000000000',
  stackName: 'MediaGeneration',
} as const;

const CHOICES: readonly (readonly Feature[])[] = [[], ...FEATURES.map((feature) => [feature])];
const stacks = await Promise.all(
  CHOICES.map(async (features) => ({
    features,
    template: await templateWith({ ...CONFIGURATIONS.default, features: [...features] }),
  })),
);

for (const { features, template } of stacks)
  describe(`a stack with ${features.join() || 'no feature'}`, () => {
    test('is accepted by AWS', () =>
      assert.deepEqual(findRefusals(templateSchema.parse(template), environment), []));

    test('has the routes of its features and no others', () =>
      assert.deepEqual(
        sorted(routesOf(template).filter((route) => !isUndeclared(route))),
        sorted(declaredRoutes(features)),
      ));

    test('names its features and no others in resources, variables, alarms, dashboards and outputs', () => {
      const text = JSON.stringify([template.Resources, template.Outputs]);
      assert.deepEqual(
        FEATURES.filter((feature) => WORDS[feature].test(text.replace(/"FEATURES":"[^}]*?\]"/g, ''))),
        features,
      );
    });
  });
