import { AwsError } from '../aws-http/aws-error.ts';
import type { BucketCall } from './operation.ts';
import { receiveBody } from './receive-body.ts';

const LIMIT = 4 * 1024 * 1024;

/** A request's XML, with its digests checked as those of any body. */
export const readXml = async ({ request, body }: BucketCall): Promise<string> => {
  const pieces: Buffer[] = [];
  let size = 0;
  await receiveBody(request, body, async (piece) => {
    size += piece.length;
    if (size > LIMIT) throw new AwsError(400, 'MaxMessageLengthExceeded', 'Your request was too big.');
    pieces.push(piece);
  });
  return Buffer.concat(pieces).toString('utf8');
};
