import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { sqsWebhooks } from '../../functions/webhooks/adapters/sqs-webhooks.ts';
import { MAX_ENDPOINTS, type WebhookEvent } from '../../functions/webhooks/domain/webhooks.ts';
import { aWebhookEvent } from './builders/webhook.ts';
import { fewAtOnce } from './few-at-once.ts';
import { startServer } from './server.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';
import { addEndpoint, listenForWebhooks, readWebhookId } from './webhook-receiver.ts';

/** Accounts whose endpoints take long, or forever, and the delay of the events of an account beside them. */

const newEvent = (account: string): WebhookEvent =>
  aWebhookEvent({ account, id: `evt_${randomUUID()}`, createdAt: Date.now() });

/** Takes connections, and lets them wait: answers with 200 after the given time, or never. */
export const listenSlowly = async (answerMs: () => number | undefined = () => undefined) => {
  let open = 0;
  let most = 0;
  let tries = 0;
  const { url, close } = await startServer((request, response) => {
    open += 1;
    tries += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
    request.resume();
    const wait = answerMs();
    if (wait !== undefined) setTimeout(() => response.writeHead(200).end(), wait);
  });
  return { url, close, open: () => open, most: () => most, tries: () => tries };
};

export const hostileWebhooks = (service: Service) => {
  const queue = sqsWebhooks(service.cloud.queueUrl('WebhooksQueue'), new SQSClient(service.operator));
  const open = async () => {
    const account = `hooks-${randomUUID()}`;
    return { baseUrl: service.baseUrl, account, apiKey: await service.issueKey(account) };
  };
  const tell = async (events: readonly WebhookEvent[]): Promise<void> => {
    await queue.sendAll(events.map((event) => ({ kind: 'event', event })));
  };

  return {
    /** Accounts with as many endpoints as they may have, or fewer, all at one address. */
    openHostile: (accounts: number, url: string, endpoints = MAX_ENDPOINTS): Promise<string[]> =>
      fewAtOnce(accounts, async () => {
        const access = await open();
        for (let endpoint = 0; endpoint < endpoints; endpoint += 1)
          await addEndpoint(access, `${url}/${endpoint}`);
        return access.account;
      }),

    /** So many events of each account, all at once. */
    tellAll: (accounts: readonly string[], events: number): Promise<void> =>
      tell(accounts.flatMap((account) => Array.from({ length: events }, () => newEvent(account)))),

    /** An account with an endpoint that answers at once; measures how late its events arrive, in seconds. */
    openQuick: async () => {
      const receiver = await listenForWebhooks(() => 200);
      const access = await open();
      await addEndpoint(access, receiver.url);
      const measure = async (events: number, pauseMs: number): Promise<number[]> => {
        const told: WebhookEvent[] = [];
        for (let event = 0; event < events; event += 1) {
          const next = newEvent(access.account);
          told.push(next);
          await tell([next]);
          await sleep(pauseMs);
        }
        const arrivals = () => new Map(receiver.received.map((each) => [readWebhookId(each), each.at]));
        await until(() => told.every(({ id }) => arrivals().has(id)));
        const arrived = arrivals();
        return told.map(({ id, createdAt }) => ((arrived.get(id) ?? Number.NaN) - createdAt) / 1000);
      };
      return { measure, close: receiver.close };
    },
  };
};
