import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { withDomain } from './assembly.ts';
import type { Service, ServiceAddress, ServiceOptions } from './service.ts';
import { type Made, shared } from './shared.ts';

type ApiService = ServiceAddress & Pick<Service, 'apiKey' | 'issueKey'>;

const startOwn = async (options?: ServiceOptions): Promise<Service> => {
  const { startService } = await import('./service.ts');
  const service = await startService(options);
  after(() => service.close());
  return service;
};
let plain: Promise<Service> | undefined;

/** A service of this process, for tests that change it, read its logs or count its calls. */
export const openOwnService = (options?: ServiceOptions): Promise<Service> => {
  if (options !== undefined) return startOwn(options);
  plain ??= startOwn();
  return plain;
};

/** The address that the runner passes to test files; the service itself cannot leave its process. */
export const makeServiceAddress = async (): Promise<Made<ServiceAddress>> => {
  const { startService } = await import('./service.ts');
  const started = await startService({ changeTemplate: withDomain, isSilent: true });
  const { close, baseUrl, files, operator, outputs, ...rest } = started;
  const { keysTable, sessionsTable, mediaBucket, filesTable, sharesTable, webhookTables } = rest;
  const tables = { keysTable, sessionsTable, filesTable, sharesTable, webhookTables };
  return { value: { baseUrl, files, operator, outputs, mediaBucket, ...tables }, close };
};

/** The service that test files share, with a key of an account that is the file's own. */
export const openSharedService = async (): Promise<ApiService> => {
  const { value, close } = await shared('service', makeServiceAddress);
  after(close);
  const store = { clientConfig: value.operator, outputs: value.outputs };
  const issueKey = (account: string): Promise<string> => issueApiKey(store, { account, name: 'test' });
  return { ...value, issueKey, apiKey: await issueKey(`tester-${randomUUID()}`) };
};
