import { Agent, request } from 'node:http';

/** A plain HTTP request for an item, without signature, retries or types. */
const agent = new Agent({ keepAlive: true });
const { AWS_ENDPOINT_URL = '', TASK_TABLE, BENCH_TASK_ID = '' } = process.env;

export const exchange = async (): Promise<void> => {
  const body = JSON.stringify({
    TableName: TASK_TABLE,
    Key: { id: { S: BENCH_TASK_ID } },
    ConsistentRead: true,
  });
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': Buffer.byteLength(body),
    'x-amz-target': 'DynamoDB_20120810.GetItem',
  };
  const answer = await new Promise<string>((resolve, reject) => {
    const call = request(AWS_ENDPOINT_URL, { agent, method: 'POST', headers }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      response.once('end', () => resolve(Buffer.concat(chunks).toString()));
      response.once('error', reject);
    });
    call.once('error', reject);
    call.end(body);
  });
  JSON.parse(answer);
};
