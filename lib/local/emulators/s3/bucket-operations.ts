import { AwsError } from '../aws-http/aws-error.ts';
import { element, elements, textOf } from '../aws-http/xml.ts';
import { malformedXml } from './errors.ts';
import { type BucketCall, type Operation, xmlReply } from './operation.ts';
import { readXml } from './request-body.ts';

const MOST_DELETED = 1000;

export const createBucket: Operation<BucketCall> = async (call) => {
  await readXml(call);
  call.objects.createBucket(call.bucket);
  return { status: 200, headers: { location: `/${call.bucket}` } };
};

export const deleteObjects: Operation<BucketCall> = async (call) => {
  const { request, bucket, objects, accessed } = call;
  const digested = ['content-md5', 'x-amz-trailer'].some((name) => name in request.headers);
  const summed = Object.keys(request.headers).some((name) => /^x-amz-checksum-(crc|sha)/.test(name));
  if (!digested && !summed) {
    throw new AwsError(400, 'InvalidRequest', 'Missing required header for this request: Content-MD5');
  }
  const xml = await readXml(call);
  const keys = elements(xml, 'Object').map((object) => textOf(object, 'Key') ?? '');
  if (keys.length === 0 || keys.length > MOST_DELETED || keys.includes('')) throw malformedXml();
  for (const key of keys) {
    accessed.push({ action: 's3:DeleteObject', resource: `arn:aws:s3:::${bucket}/${key}` });
    await objects.remove(bucket, key);
  }
  const quiet = textOf(xml, 'Quiet') === 'true';
  const deleted = quiet ? [] : keys.map((key) => `<Deleted>${element('Key', key)}</Deleted>`);
  return xmlReply('DeleteResult', deleted.join(''));
};
