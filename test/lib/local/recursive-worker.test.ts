import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { traceHeader } from '../../../lib/local/functions/invocation.ts';
import { createVideo, waitFor } from '../../support/http.ts';
import { longOr } from '../../support/long-tests.ts';
import { type Service, startService } from '../../support/service.ts';

/** A long run has all steps of a three-minute generation; otherwise most of them are assumed. */
const GENERATION_SECONDS = longOr(9, 180);
const TURNS_BEHIND = longOr(14, 0);

const functionSchema = z.looseObject({
  Environment: z.looseObject({ Variables: z.record(z.string(), z.unknown()) }).optional(),
});
const templateSchema = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string(), Properties: z.unknown().optional() })),
});

/** The stack with this worker setting. The message of create-video is lost, because the test sends it. */
const withRecursiveLoop = (setting: 'Allow' | 'Terminate') => (text: string) => {
  const template = templateSchema.parse(JSON.parse(text));
  for (const [logicalId, resource] of Object.entries(template.Resources)) {
    if (resource.Type !== 'AWS::Lambda::Function') continue;
    const properties = functionSchema.parse(resource.Properties);
    if (logicalId.startsWith('VideoWorker')) properties.RecursiveLoop = setting;
    const variables = properties.Environment?.Variables;
    if (logicalId.startsWith('CreateVideo') && variables)
      variables.STEP_QUEUE_URL = 'http://127.0.0.1:9/none';
    resource.Properties = properties;
  }
  return JSON.stringify(template);
};

const turns = ({ cloud }: Service) => {
  const worker = cloud.functionId('VideoWorker');
  return cloud.invocations().filter(({ functionId }) => functionId === worker).length;
};

/** Creates a video whose chain of requests has already invoked the worker. */
const generate = async (service: Service) => {
  const { cloud } = service;
  const id = await createVideo(service, 'a quiet harbour');
  const name = `MediaGeneration-${cloud.functionId('VideoWorker')}`;
  const arn = `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
  let header = 'Root=1-5759e988-bd862e3fe1be46a994272793';
  for (let turn = 0; turn < TURNS_BEHIND; turn += 1) header = traceHeader(arn, [header]);
  const client = new SQSClient(cloud.clientConfig('operator'));
  await client.send(
    new SendMessageCommand({
      QueueUrl: cloud.queueUrl('StepsQueue'),
      MessageBody: JSON.stringify({ taskId: id, step: 0 }),
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: header } },
    }),
  );
  client.destroy();
  const { body } = await waitFor(service, id);
  return { status: body.status, turns: TURNS_BEHIND + turns(service) };
};

describe(`a generation of ${GENERATION_SECONDS} s with more than 16 worker steps`, () => {
  const services: Service[] = [];
  const start = async (setting: 'Allow' | 'Terminate') => {
    const changeTemplate = withRecursiveLoop(setting);
    const service = await startService({ generationSeconds: GENERATION_SECONDS, changeTemplate });
    services.push(service);
    return service;
  };
  let allowed: ReturnType<typeof generate>;
  let terminated: ReturnType<typeof generate>;
  before(async () => {
    allowed = generate(await start('Allow'));
    terminated = generate(await start('Terminate'));
    await Promise.allSettled([allowed, terminated]);
  });
  after(() => Promise.all(services.map((service) => service.close())));

  it('is stopped after 16 invocations unless the template allows the loop, and its task fails', async () => {
    assert.deepEqual(await terminated, { status: 'failed', turns: 16 });
  });

  it('completes if the template allows it', async () => {
    const { status, turns: taken } = await allowed;
    assert.equal(status, 'completed');
    assert.ok(taken > 16, `it took ${taken} turns`);
  });
});
