import assert from 'node:assert/strict';
import { after } from 'node:test';
import * as z from 'zod';
import { withLargeRequests, withSignIn } from '../../support/assembly.ts';
import { readStreamedAnswer } from '../../support/functions-in-process.ts';
import { startOidcProvider } from '../../support/oidc-provider.ts';
import { openOwnService } from '../../support/open-service.ts';
import { withBrokenCopies } from './broken-copies.ts';

/** The account of the tour that has every function do its work. */
export const TOURIST = 'tourist';

export const provider = await startOidcProvider();
after(() => provider.close());

const withProvider = withSignIn({
  issuer: provider.issuer,
  clientId: provider.clientId,
  accounts: [{ account: TOURIST, role: 'member' }],
});

/** Ten megabytes of files an account, so that the limit is soon met. */
const withLittleStorage = (template: string): string =>
  template.replaceAll(/("FILE_STORAGE_MEGABYTES": )"\d+"/g, '$1"10"');

/** Half of them may try endpoints that are slow to respond. */
export const WEBHOOK_WORKERS = 4;

/** Each is a process that the tests of slow endpoints keep busy. */
const withFewWebhookWorkers = (template: string): string =>
  template
    .replace(/(?<="WEBHOOK_CONCURRENCY": )"10"/, `"${WEBHOOK_WORKERS}"`)
    .replace(/(?<="MaximumConcurrency": )10\b/, String(WEBHOOK_WORKERS));

/** The one service of these tests, with the settings that any of them needs. */
export const service = await openOwnService({
  changeTemplate: (template) =>
    [withProvider, withLittleStorage, withLargeRequests, withFewWebhookWorkers, withBrokenCopies].reduce(
      (changed, change) => change(changed),
      template,
    ),
});

const answerSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().default(''),
});

/** Passes an event to a function as the gateway does. */
export const answer = async (functionId: string, event: object) => {
  const result = await service.cloud.invoke(functionId, event);
  assert.ok(result.type === 'response', result.type);
  const { payload } = result;
  return answerSchema.parse(payload.includes('\0') ? readStreamedAnswer(payload) : JSON.parse(payload));
};
