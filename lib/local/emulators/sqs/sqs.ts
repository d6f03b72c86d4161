import { join } from 'node:path';
import { jsonService } from '../aws-http/json-service.ts';
import type { Service } from '../aws-http/service.ts';
import type { Home } from '../messages.ts';
import { openDatabase } from '../sqlite.ts';
import { GetQueueUrl, OnQueue } from './inputs.ts';
import { longPolls } from './long-polls.ts';
import { messageOperations } from './message-operations.ts';
import { messageStore } from './message-store.ts';
import { queueOperations } from './queue-operations.ts';
import { addLaterColumns, nameInUrl, queueArn, queueStore, SCHEMA } from './queues.ts';

const resourceOf = (home: Home, input: unknown): string => {
  const onQueue = OnQueue.safeParse(input);
  if (onQueue.success) return queueArn(home, nameInUrl(onQueue.data.QueueUrl));
  const named = GetQueueUrl.safeParse(input);
  return queueArn(home, named.success ? named.data.QueueName : '*');
};

export const sqs = (home: Home, dataDir: string, endpoint: () => string): Service => {
  const database = openDatabase(join(dataDir, 'queues.sqlite'), SCHEMA);
  addLaterColumns(database);
  const polls = longPolls();
  const closing = new AbortController();
  const queues = queueStore(database);
  const messages = messageStore(database, queues, polls.wake);
  const operations = {
    ...queueOperations(home, queues, messages, endpoint),
    ...messageOperations(queues, messages, polls, closing.signal),
  };

  return jsonService({
    target: 'AmazonSQS',
    operations: new Map(Object.entries(operations)),
    accessedBy: (operation, input) => [
      // IAM has no actions of their own for batches.
      { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: resourceOf(home, input) },
    ],
    async close() {
      closing.abort();
      database.close();
    },
  });
};
