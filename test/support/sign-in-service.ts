import { randomUUID } from 'node:crypto';
import { after } from 'node:test';
import { withSignIn } from './assembly.ts';
import { startOidcProvider, type TestPerson } from './oidc-provider.ts';
import { openOwnService } from './open-service.ts';

export const PROVIDER_NAME = 'Test provider';

const start = async () => {
  const provider = await startOidcProvider();
  after(() => provider.close());
  const service = await openOwnService({
    changeTemplate: withSignIn({
      issuer: provider.issuer,
      clientId: provider.clientId,
      name: PROVIDER_NAME,
      scopes: ['openid', 'email', 'profile', 'groups'],
      emailDomains: ['example.com'],
      accounts: [
        { claim: 'groups', value: 'staff', account: 'studio', role: 'member' },
        { claim: 'groups', value: 'leads', account: 'studio', role: 'admin' },
        { claim: 'groups', value: 'sales', account: 'shop', role: 'viewer' },
      ],
      links: false,
    }),
  });
  provider.allow(service.baseUrl);

  /** A new person of the provider who signs in there without a page. */
  const newPerson = (terms: Partial<TestPerson> = {}) => {
    const id = `p-${randomUUID()}`;
    const name = `Ada ${id.slice(2, 8)}`;
    const person = { id, email: `${id}@example.com`, email_verified: true, name, ...terms };
    provider.setPerson(person);
    provider.signInAs(id);
    return person;
  };
  return { provider, service, newPerson };
};

let started: ReturnType<typeof start> | undefined;

/** A service in which people sign in with a provider and not with links; the files of a process share it. */
export const openSignInService = (): ReturnType<typeof start> => {
  started ??= start();
  return started;
};
