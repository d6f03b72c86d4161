import { AwsError } from '../aws-http/aws-error.ts';
import type { Queue } from './queues.ts';

type Failed = {
  readonly Id: string;
  readonly SenderFault: boolean;
  readonly Code: string;
  readonly Message: string;
};

const checkDistinct = (entries: readonly { Id: string }[]): void => {
  if (new Set(entries.map(({ Id }) => Id)).size === entries.length) return;
  const message = 'Two or more batch entries in the request have the same Id.';
  throw new AwsError(400, 'com.amazonaws.sqs#BatchEntryIdsNotDistinct', message);
};

/** Does each entry by itself: one that fails leaves the others done. */
export const batched = <Entry extends { Id: string }>(
  queue: Queue,
  entries: readonly Entry[],
  one: (queue: Queue, entry: Entry) => object,
) => {
  checkDistinct(entries);
  const Successful: object[] = [];
  const Failed: Failed[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...one(queue, entry) });
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      const Code = error.code.replace(/^.*#/, '');
      Failed.push({ Id: entry.Id, SenderFault: true, Code, Message: error.message });
    }
  }
  return { Successful, Failed };
};
