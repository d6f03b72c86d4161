import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { longest } from '../../../lib/evidence/template-counts.ts';
import { assemblyFor } from '../../support/assembly.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { allConfigurations } from './configurations.ts';
import { SERVICE_LIMITS } from './service-limits.ts';
import { findResources, type Template } from './synthesized-template.ts';

const TEMPLATE_BYTES = 1_000_000;
const FUNCTION_POLICY_BYTES = 20_480;
const UNZIPPED_CODE_BYTES = 250 * 1024 ** 2;

const excess = (name: string, found: number, limit: number): readonly string[] =>
  found <= limit ? [] : [`${name}: ${found}, and the limit is ${limit}`];

const countIn = (section: object | undefined): number => Object.keys(section ?? {}).length;

/** The indentation is that of the file which is uploaded. */
const templateBytes = (template: Template): number => Buffer.byteLength(JSON.stringify(template, null, 1));

/** The quotas of CloudFormation itself. */
const templateProblems = (template: Template): readonly string[] => [
  ...excess('bytes', templateBytes(template), TEMPLATE_BYTES),
  ...excess('outputs', countIn(template.Outputs), 200),
  ...excess('parameters', countIn(template.Parameters), 200),
  ...excess('mappings', countIn(template.Mappings), 200),
  ...excess('bytes of the description', Buffer.byteLength(template.Description ?? ''), 1024),
  ...[...Object.keys(template.Resources), ...Object.keys(template.Outputs)].flatMap((id) =>
    excess(`characters of ${id}`, id.length, 255),
  ),
  ...Object.entries(template.Outputs).flatMap(([id, { Description }]) =>
    excess(`bytes of the description of ${id}`, Buffer.byteLength(String(Description ?? '')), 1024),
  ),
];

const serviceProblems = ({ Resources }: Template): readonly string[] =>
  Object.entries(Resources).flatMap(([id, { Type, Properties }]) => {
    const found = SERVICE_LIMITS[Type]?.safeParse(longest(Properties)).error?.issues ?? [];
    return found.map(({ path, message }) => `${[id, ...path].join('.')}: ${message}`);
  });

/** The first resource that a value names: the name of an alias is cut out of its ARN. */
const reference = z.unknown().transform((value) => {
  const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value)) ?? [];
  return z.string().parse(id);
});

/** The resource that a value refers to; versions and aliases lead on to their function. */
const referred = (
  { Resources }: Template,
  value: unknown,
): readonly [id: string, Record<string, unknown>] => {
  const id = reference.parse(value);
  const resource = Resources[id];
  if (resource === undefined) throw new Error(`the template has no resource ${id}`);
  if (/^AWS::Lambda::(Alias|Version)$/.test(resource.Type))
    return referred({ Resources, Outputs: {} }, resource.Properties.FunctionName);
  return [id, resource.Properties];
};

/** Each permission is a statement in the policy of its function. */
const permissionProblems = (template: Template): readonly string[] => {
  const statements = findResources(template, 'AWS::Lambda::Permission').map(
    ([, { Properties }]) => [referred(template, Properties.FunctionName)[0], Properties] as const,
  );
  return [...Map.groupBy(statements, ([id]) => id)].flatMap(([id, own]) =>
    excess(
      `bytes of the policy of ${id}`,
      JSON.stringify(own.map(([, properties]) => longest({ ...properties, Sid: { Ref: 'Sid' } }))).length,
      FUNCTION_POLICY_BYTES,
    ),
  );
};

const eventSourceProblems = (template: Template): readonly string[] =>
  findResources(template, 'AWS::Lambda::EventSourceMapping').flatMap(([id, { Properties }]) => {
    const [, lambda] = referred(template, Properties.FunctionName);
    const [, queue] = referred(template, Properties.EventSourceArn);
    const [hidden, timeout] = [Number(queue.VisibilityTimeout ?? 30), Number(lambda.Timeout)];
    const concurrency = Number(Object(Properties.ScalingConfig).MaximumConcurrency ?? 2);
    const reserved = Number(lambda.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY);
    return [
      ...(hidden >= 6 * timeout ? [] : [`${id}: hides messages for ${hidden} s, less than 6 × ${timeout} s`]),
      ...excess(`consumers of ${id} beyond those reserved`, concurrency, reserved),
    ];
  });

/** SQS keeps counting from when a message was first sent, so a dead letter must live longer than its queue. */
const deadLetterProblems = (template: Template): readonly string[] =>
  findResources(template, 'AWS::SQS::Queue').flatMap(([id, { Properties }]) => {
    if (Properties.RedrivePolicy === undefined) return [];
    const [, letters] = referred(template, Object(Properties.RedrivePolicy).deadLetterTargetArn);
    return Number(letters.MessageRetentionPeriod) > Number(Properties.MessageRetentionPeriod)
      ? []
      : [`${id}: its dead letters are not kept longer than its messages`];
  });

const configurations = await allConfigurations();

for (const { name, template, maxResources } of configurations)
  describe(`${name} keeps within the limits of`, () => {
    test(`${maxResources} resources`, () =>
      assert.deepEqual(excess('resources', countIn(template.Resources), maxResources), []));
    test('CloudFormation', () => assert.deepEqual(templateProblems(template), []));
    test('each service', () => assert.deepEqual(serviceProblems(template), []));
    test("a function's policy", () => assert.deepEqual(permissionProblems(template), []));
    test('event sources and their queues', () => assert.deepEqual(eventSourceProblems(template), []));
    test('dead-letter queues', () => assert.deepEqual(deadLetterProblems(template), []));
  });

test('every limit is checked against resources of the stack, except for policies that a stack may need later', () => {
  const types = new Set(
    configurations.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)),
  );
  const unused = Object.keys(SERVICE_LIMITS).filter((type) => !types.has(type));
  const others = unused.filter((type) => !/^AWS::IAM::(Managed)?Policy$/.test(type));
  assert.deepEqual(others, []);
});

/** A value beyond a limit, and the name of the property that is then reported. */
const EXCESSES: readonly (readonly [type: string, properties: Record<string, unknown>, path: string])[] = [
  ['AWS::Lambda::Function', { Timeout: 901 }, 'Timeout'],
  [
    'AWS::Lambda::Function',
    { Environment: { Variables: { LIST: 'x'.repeat(4093) } } },
    'Environment.Variables',
  ],
  ['AWS::Lambda::EventSourceMapping', { BatchSize: 11 }, 'Changed'],
  [
    'AWS::Lambda::EventSourceMapping',
    { ScalingConfig: { MaximumConcurrency: 1 } },
    'ScalingConfig.MaximumConcurrency',
  ],
  ['AWS::SQS::Queue', { VisibilityTimeout: 43_201 }, 'VisibilityTimeout'],
  ['AWS::IAM::Role', { Policies: [{ PolicyDocument: { Resource: 'x'.repeat(10_240) } }] }, 'Policies'],
  ['AWS::CloudWatch::Alarm', { AlarmDescription: 'x'.repeat(1025) }, 'AlarmDescription'],
  ['AWS::CloudWatch::Alarm', { EvaluationPeriods: 300 }, 'Changed'],
  [
    'AWS::CloudWatch::Dashboard',
    { DashboardBody: '{"widgets":[{"x":20,"width":6,"height":6,"properties":{}}]}' },
    'DashboardBody.widgets.0',
  ],
  ['AWS::DynamoDB::Table', { AttributeDefinitions: [] }, 'Changed'],
  ['AWS::Logs::LogGroup', { LogGroupName: 'a name with spaces' }, 'LogGroupName'],
  ['AWS::Events::Rule', { Targets: [1, 2, 3, 4, 5, 6] }, 'Targets'],
  [
    'AWS::ApiGateway::RestApi',
    { Body: { paths: Object.fromEntries(Array.from({ length: 150 }, (_, name) => [`/${name}/x`, {}])) } },
    'Body.paths',
  ],
  [
    'AWS::ApiGateway::Stage',
    { MethodSettings: Array.from({ length: 81 }, () => ({ LoggingLevel: 'ERROR' })) },
    'MethodSettings',
  ],
];

describe('the limits report', () => {
  const [{ template } = assert.fail('no configuration')] = configurations;
  for (const [type, excessive, path] of EXCESSES)
    test(`${type} with ${Object.keys(excessive).join()} beyond its limit`, () => {
      const [[, { Properties }] = assert.fail(type)] = findResources(template, type);
      const Changed = { Type: type, Properties: { ...Properties, ...excessive } };
      const problems = serviceProblems({ Resources: { Changed }, Outputs: {} });
      assert.ok(
        problems.some((problem) =>
          problem.startsWith(path === 'Changed' ? 'Changed: ' : `Changed.${path}: `),
        ),
        problems.join(),
      );
    });

  test('a queue with a visibility timeout that is too short', () => {
    const Resources = Object.fromEntries(
      Object.entries(template.Resources).map(([id, { Properties, ...resource }]) => [
        id,
        {
          ...resource,
          Properties: {
            ...Properties,
            ...('VisibilityTimeout' in Properties ? { VisibilityTimeout: 60 } : {}),
          },
        },
      ]),
    );
    assert.match(eventSourceProblems({ ...template, Resources }).join(), /less than 6 × 60 s/);
  });

  test('a template with too many outputs', () => {
    const Outputs = Object.fromEntries(
      Array.from({ length: 201 }, (_, number) => [`Output${number}`, { Value: '' }]),
    );
    assert.deepEqual(templateProblems({ ...template, Outputs }), ['outputs: 201, and the limit is 200']);
  });
});

const assetsSchema = z.looseObject({
  files: z.record(
    z.string(),
    z.looseObject({ source: z.looseObject({ path: z.string(), packaging: z.string() }) }),
  ),
});

test('the code of every function fits into Lambda', async () => {
  const { assetsFile } = await assemblyFor('http://127.0.0.1:9', await temporaryFolder('limits'));
  const { files } = assetsSchema.parse(JSON.parse(readFileSync(assetsFile, 'utf8')));
  const folders = Object.values(files).filter(({ source }) => source.packaging === 'zip');
  assert.ok(folders.length > 10);
  for (const { source } of folders) {
    const folder = join(dirname(assetsFile), source.path);
    const bytes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => statSync(join(folder, file)).size)
      .reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 1000 && bytes <= UNZIPPED_CODE_BYTES, `${source.path}: ${bytes} bytes`);
  }
});
