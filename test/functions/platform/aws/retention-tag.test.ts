import assert from 'node:assert/strict';
import { test } from 'node:test';
import { S3Client } from '@aws-sdk/client-s3';
import { keepObject, limitObject } from '../../../../functions/platform/aws/retention-tag.ts';

const PLACE = { Bucket: 'media', Key: 'videos/a b' };
const DESCRIBED = { ContentType: 'video/mp4', Metadata: { id: '1' } };

test('an object that is kept loses its tag, and a copy onto itself makes it young and limited', async (context) => {
  const client = new S3Client({ region: 'us-east-1' });
  const { mock } = context.mock.method(client, 'send', async () => {});
  await keepObject(client, PLACE);
  await limitObject(client, PLACE, DESCRIBED);
  const sent = mock.calls.map(({ arguments: [command] }) => [command?.constructor.name, command?.input]);
  const replaced = {
    MetadataDirective: 'REPLACE',
    TaggingDirective: 'REPLACE',
    Tagging: 'retention=limited',
  };
  assert.deepEqual(sent, [
    ['DeleteObjectTaggingCommand', PLACE],
    ['CopyObjectCommand', { ...PLACE, CopySource: 'media/videos/a%20b', ...replaced, ...DESCRIBED }],
  ]);
});

test('an object that was just deleted needs no tag, but other errors are thrown', async (context) => {
  const client = new S3Client({ region: 'us-east-1' });
  const fail = (name: string) =>
    context.mock.method(client, 'send', () => Promise.reject(Object.assign(new Error(), { name })));
  fail('NoSuchKey');
  await Promise.all([keepObject(client, PLACE), limitObject(client, PLACE, DESCRIBED)]);
  fail('AccessDenied');
  await assert.rejects(keepObject(client, PLACE), { name: 'AccessDenied' });
});
