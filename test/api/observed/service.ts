import { after } from 'node:test';
import * as z from 'zod';
import { withLargeRequests, withSignIn } from '../../support/assembly.ts';
import { loadFunctions } from '../../support/functions-in-process.ts';
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

/** The one service of these tests, with the settings that any of them needs. */
export const service = await openOwnService({
  changeTemplate: (template) =>
    withBrokenCopies(withLargeRequests(withLittleStorage(withProvider(template)))),
});

/** The functions of the service in this process, for tests of what they decide whatever the gateway does. */
const loaded = await loadFunctions(service.files, service.operator);

const answerSchema = z.object({
  statusCode: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});

export const functions = {
  answer: async (name: string, event: object) => answerSchema.parse(await loaded.answer(name, event)),
};
