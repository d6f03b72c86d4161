import { S3Client } from '@aws-sdk/client-s3';
import type { ClientConfig } from '../../lib/local/emulators/start.ts';
import { dynamoClient } from '../../lib/operator/dynamo-client.ts';

const s3Clients = new WeakMap<ClientConfig, S3Client>();

/** One client of each kind for each service, because creating one takes longer than a request. */
export const openClients = (operator: ClientConfig) => {
  const s3 = s3Clients.get(operator) ?? new S3Client(operator);
  s3Clients.set(operator, s3);
  return { dynamo: dynamoClient(operator), s3 };
};
