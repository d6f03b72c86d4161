import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { Config } from '../../../lib/config.ts';
import { TEST_CONFIG } from '../../support/assembly.ts';
import { synthesizedWith } from '../../support/template.ts';

const templateSchema = z.looseObject({
  Description: z.string().optional(),
  Parameters: z.record(z.string(), z.unknown()).optional(),
  Mappings: z.record(z.string(), z.unknown()).optional(),
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.record(z.string(), z.unknown()).default({}),
      DeletionPolicy: z.string().optional(),
    }),
  ),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })),
});
export type Template = z.infer<typeof templateSchema>;
type Resource = Template['Resources'][string];

/** Files of one process ask for the same templates many times. */
const parsed = new Map<string, Template>();

const read = (stack: string): Template => {
  const template =
    parsed.get(stack) ?? templateSchema.parse(JSON.parse(readFileSync(`${stack}.template.json`, 'utf8')));
  parsed.set(stack, template);
  return template;
};

/** The stack with this configuration. */
export const templateWith = async (config: Partial<Config>): Promise<Template> =>
  read(await synthesizedWith(config));

/** The stack that all tests share, or, for a file that runs alone, one of its own. */
export const sharedTemplate = async (): Promise<Template> => {
  const shared = process.env.TEST_ASSEMBLY;
  return shared === undefined ? templateWith(TEST_CONFIG) : read(shared);
};

const integrationSchema = z.looseObject({ uri: z.unknown(), credentials: z.unknown() });
const bodySchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ 'x-amazon-apigateway-integration': integrationSchema })),
  ),
  'x-amazon-apigateway-gateway-responses': z.record(
    z.string(),
    z.strictObject({
      statusCode: z.number().optional(),
      responseParameters: z.record(z.string(), z.string()),
      responseTemplates: z.record(z.string(), z.string()),
    }),
  ),
});

/** The OpenAPI body of the REST API. */
export const apiBody = (template: Template) => {
  const [[, api] = []] = findResources(template, 'AWS::ApiGateway::RestApi');
  return bodySchema.parse(api?.Properties.Body);
};

/** The integrations of the REST API, by method and path. */
export const integrations = (template: Template): Map<string, z.infer<typeof integrationSchema>> =>
  new Map(
    Object.entries(apiBody(template).paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation['x-amazon-apigateway-integration'],
      ]),
    ),
  );

/** The resources of a type, with their logical ids; a type that is not there is a mistake of the test. */
export const findResources = ({ Resources }: Template, type: string): [id: string, resource: Resource][] => {
  const found = Object.entries(Resources).filter(([, { Type }]) => Type === type);
  if (found.length === 0) throw new Error(`the template has no ${type}`);
  return found;
};
