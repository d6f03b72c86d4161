import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import * as z from 'zod';
import { MAX_STACK_NAME } from '../../../lib/config-schema.ts';
import { AWS_RULES, findRefusals } from '../../../lib/local/template/aws-rules.ts';
import { templateSchema } from '../../../lib/local/template/template.ts';
import { assemblyFor } from '../../support/assembly.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { allConfigurations } from './configurations.ts';
import { findResources, type Template } from './synthesized-template.ts';

const UNZIPPED_CODE_BYTES = 250 * 1024 ** 2;

const excess = (name: string, found: number, limit: number): readonly string[] =>
  found <= limit ? [] : [`${name}: ${found}, and the limit is ${limit}`];

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

/** The longest name that the setting allows makes the longest policies. */
const longestName = { stackName: 'M'.repeat(MAX_STACK_NAME), accountId: '123456789012' };

for (const { name, region, template, maxResources } of configurations)
  describe(`${name} keeps within the limits of`, () => {
    test(`${maxResources} resources`, () =>
      assert.deepEqual(excess('resources', Object.keys(template.Resources).length, maxResources), []));
    test('AWS', () =>
      assert.deepEqual(findRefusals(templateSchema.parse(template), { ...longestName, region }), []));
    test('event sources and their queues', () => assert.deepEqual(eventSourceProblems(template), []));
    test('dead-letter queues', () => assert.deepEqual(deadLetterProblems(template), []));
  });

test('CloudFormation would cut the names of a stack with a longer name', () => {
  const stackName = 'M'.repeat(MAX_STACK_NAME + 1);
  for (const { region, template } of configurations) {
    const refusals = findRefusals(templateSchema.parse(template), { ...longestName, region, stackName });
    assert.deepEqual(new Set(refusals.map(({ rule }) => rule)), new Set(['generated names']));
  }
});

test('every rule for a type of resource is checked against resources of the stack', () => {
  const types = new Set(
    configurations.flatMap(({ template }) => Object.values(template.Resources).map(({ Type }) => Type)),
  );
  const unused = AWS_RULES.flatMap(({ type }) => (type === undefined || types.has(type) ? [] : [type]));
  // A stack may need policies of its own later.
  assert.deepEqual(unused, ['AWS::IAM::ManagedPolicy']);
});

test('a queue with a visibility timeout that is too short is reported', () => {
  const [{ template } = assert.fail('no configuration')] = configurations;
  const text = JSON.stringify(template).replaceAll(/"VisibilityTimeout":\d+/g, '"VisibilityTimeout":60');
  assert.match(eventSourceProblems(JSON.parse(text)).join(), /less than 6 × 60 s/);
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
