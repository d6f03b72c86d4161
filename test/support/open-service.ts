import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { after } from 'node:test';
import { issueApiKey } from '../../lib/operator/administration.ts';
import { startInThisProcess } from './functions-in-one-process.ts';
import type { Service, ServiceAddress, ServiceOptions } from './service.ts';
import { type Made, shared } from './shared.ts';

type ApiService = ServiceAddress & Pick<Service, 'apiKey' | 'issueKey'> & { readonly account: string };

const startOwn = async (options?: ServiceOptions): Promise<Service> => {
  const { startService } = await import('./service.ts');
  const service = await startService({ startChild: startInThisProcess, ...options });
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

/** Starts the service in a process of its own, which ends when it is closed, or when the process that started it ends. */
export const makeServiceAddress = async (): Promise<Made<ServiceAddress>> => {
  const started = fork(join(import.meta.dirname, 'shared-service.ts'), { execArgv: [] });
  const ended = once(started, 'exit');
  const failed = ended.then(() => Promise.reject(new Error('the shared service has ended')));
  const [value] = await Promise.race([once(started, 'message'), failed]);
  const close = async (): Promise<void> => {
    started.disconnect();
    await ended;
  };
  return { value, close };
};

/** The service that test files share, with a key of an account that is the file's own. */
export const openSharedService = async (): Promise<ApiService> => {
  const { value, close } = await shared('service', makeServiceAddress);
  after(close);
  const store = { clientConfig: value.operator, outputs: value.outputs };
  const issueKey = (account: string): Promise<string> => issueApiKey(store, { account, name: 'test' });
  const account = `tester-${randomUUID()}`;
  return { ...value, issueKey, account, apiKey: await issueKey(account) };
};
