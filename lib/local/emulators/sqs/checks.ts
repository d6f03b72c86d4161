import { AwsError } from '../aws-http/aws-error.ts';
import type { Sent } from './inputs.ts';
import { isRedrivePolicy, type Queue, setting } from './queues.ts';

const RECEIPT = /^[0-9a-f-]{36}:[0-9a-f-]{36}$/;
// What XML 1.0 allows, as SQS documents it.
const FORBIDDEN = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const invalid = (code: string, message: string): AwsError =>
  new AwsError(400, `com.amazonaws.sqs#${code}`, message);

export const checkReceipt = (receipt: string): void => {
  if (RECEIPT.test(Buffer.from(receipt, 'base64url').toString())) return;
  throw invalid('ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
};

export const checkBody = (queue: Queue, { MessageBody, MessageAttributes }: Sent): void => {
  if (FORBIDDEN.test(MessageBody)) {
    throw invalid('InvalidMessageContents', 'The message contains characters outside the allowed set.');
  }
  const limit = setting(queue, 'MaximumMessageSize');
  const attributes = Object.entries(MessageAttributes).flatMap(([name, attribute]) => [
    name,
    ...Object.values(attribute),
  ]);
  const size = [MessageBody, ...attributes].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (size > limit) {
    throw invalid(
      'InvalidParameterValue',
      `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`,
    );
  }
};

const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  VisibilityTimeout: [0, 43_200],
  DelaySeconds: [0, 900],
  MaximumMessageSize: [1024, 1_048_576],
  MessageRetentionPeriod: [60, 1_209_600],
  ReceiveMessageWaitTimeSeconds: [0, 20],
};

const isInRange = (value: string, [least, most]: readonly [number, number]): boolean =>
  /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most;

export const checkAttributes = (attributes: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(attributes)) {
    const range = RANGES[name];
    const valid = name === 'RedrivePolicy' ? isRedrivePolicy(value) : !range || isInRange(value, range);
    if (!valid) throw invalid('InvalidAttributeValue', `Invalid value for the parameter ${name}.`);
  }
};
