import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Provider, { type Configuration, interactionPolicy, type JWK } from 'oidc-provider';
import * as z from 'zod';
import { startServer } from './server.ts';

/**
 * A real OpenID Connect provider in this process, for sign-in tests.
 *
 *   const provider = await startOidcProvider();
 *   // setting of the service: signIn: { issuer: provider.issuer, clientId: provider.clientId, … }
 *   provider.allow(service.baseUrl);        // registers {base}/v1/console/sign_in/callback and the sign-out page
 *   provider.setPerson({ id: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada', groups: ['staff'] });
 *   provider.signInAs('ada');               // signs in without a page; undefined shows a page with a button for each person
 *   provider.removePerson('ada');           // refresh tokens of the person end with invalid_grant
 *   provider.rotateKeys();                  // a new signing key with a new kid; the old one is gone
 *   provider.setDown(true);                 // every request is answered with 503
 *   provider.setRefreshTokens(false);       // sign-ins get no refresh token
 *   provider.alterIdToken((token) => …);    // changes header or claims of the next ID tokens, signed again unless alg is none
 *   await provider.close();
 *
 * People stay signed in at the provider by its cookies, as in a browser. The page for people has the buttons
 * "Sign in as NAME" and "Cancel".
 */
export type TestPerson = {
  readonly id: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
  readonly groups?: readonly string[];
};

type Parts = Readonly<Record<string, unknown>>;
type IdToken = { readonly header: Parts; readonly claims: Parts };
type Alter = (token: IdToken, accessToken: string) => IdToken;
type IdAndAccess = [idToken: string, accessToken: string];
type SigningKey = { readonly privateKey: KeyObject; readonly jwk: JWK };

const CLIENT_ID = 'media-console';
export const CONFIDENTIAL = { clientId: 'media-console-secret', clientSecret: 'a secret of the provider' };

const GRANTS = {
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: ['http://127.0.0.1/registered'],
};

const tokenSchema = z.looseObject({ id_token: z.optional(z.string()), access_token: z.optional(z.string()) });
const partsSchema = z.record(z.string(), z.unknown());

const createKey = (): SigningKey => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(8).toString('hex');
  return { privateKey, jwk: { ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } };
};

/** Most providers let people choose one of their accounts with `prompt=select_account`. */
const withAccountChoice = () => {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
};

/** Making a key takes a quarter of a second, so the providers of a process start with the same. */
let firstKey: SigningKey | undefined;

const encodePart = (part: Parts): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decodePart = (part = ''): Parts =>
  partsSchema.parse(JSON.parse(Buffer.from(part, 'base64url').toString()));

const alterToken = (token: string, access: string, alter: Alter, { privateKey }: SigningKey): string => {
  const [header, claims] = token.split('.');
  const altered = alter({ header: decodePart(header), claims: decodePart(claims) }, access);
  const content = `${encodePart(altered.header)}.${encodePart(altered.claims)}`;
  const signature = altered.header.alg === 'none' ? '' : sign('RSA-SHA256', Buffer.from(content), privateKey);
  return `${content}.${signature === '' ? '' : signature.toString('base64url')}`;
};

/** Lets a token response pass through a function before it is sent. */
const changeTokenResponse = (response: ServerResponse, change: (...tokens: IdAndAccess) => string): void => {
  const end = response.end.bind(response);
  Object.assign(response, {
    end: (body?: unknown): ServerResponse => {
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return end();
      const answer = tokenSchema.parse(JSON.parse(body.toString()));
      const { id_token: token, access_token: access = '' } = answer;
      const changed = JSON.stringify(
        token === undefined ? answer : { ...answer, id_token: change(token, access) },
      );
      response.setHeader('content-length', Buffer.byteLength(changed));
      return end(changed);
    },
  });
};

const toPage = (path: string, people: Iterable<TestPerson>): string =>
  `<!doctype html><html lang="en"><title>Test provider</title><h1>Test provider</h1>${[...people]
    .map(({ id, name }) => `<p><a role="button" href="${path}?person=${id}">Sign in as ${name ?? id}</a></p>`)
    .join('')}<p><a role="button" href="${path}?person=">Cancel</a></p></html>`;

export const startOidcProvider = async () => {
  firstKey ??= createKey();
  const people = new Map<string, TestPerson>();
  const bases = new Set<string>();
  type State = {
    person?: string | undefined;
    down: boolean;
    refresh: boolean;
    alter?: Alter | undefined;
    key: SigningKey;
  };
  const state: State = { down: false, refresh: true, key: firstKey };
  const cookieKeys = [randomBytes(16).toString('hex')];

  const configuration = (): Configuration => ({
    clients: [
      { ...GRANTS, client_id: CLIENT_ID, token_endpoint_auth_method: 'none' },
      { ...GRANTS, client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.clientSecret },
    ],
    jwks: { keys: [state.key.jwk] },
    cookies: { keys: cookieKeys },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    // Most providers put the claims into the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    issueRefreshToken: () => state.refresh,
    ttl: {
      ...{ AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600 },
      ...{ Grant: 86_400, RefreshToken: 86_400, Session: 86_400 },
    },
    findAccount: (_, id) => {
      const person = people.get(id);
      return (
        person && {
          accountId: id,
          claims: () => ({ ...person, sub: id, groups: [...(person.groups ?? [])] }),
        }
      );
    },
    interactions: { policy: withAccountChoice(), url: (_, { uid }) => `/interaction/${uid}` },
    // Everything is consented to, as by an administrator.
    loadExistingGrant: async (context) => {
      const { client, session, params, provider: issuing } = context.oidc;
      const grant = new issuing.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(String(params?.scope ?? 'openid'));
      await grant.save();
      return grant;
    },
  });

  const { url: issuer, close } = await startServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });

  const createProvider = (): Provider => {
    const made = new Provider(issuer, configuration());
    const isAllowed = (path: string) => (uri: string) => [...bases].some((base) => uri === `${base}${path}`);
    Object.assign(made.Client.prototype, {
      redirectUriAllowed: isAllowed('/v1/console/sign_in/callback'),
      postLogoutRedirectUriAllowed: isAllowed('/console/sign-in'),
    });
    return made;
  };
  let provider = createProvider();

  const interact = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    const person = url.searchParams.get('person') ?? state.person;
    if (person === undefined) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(toPage(url.pathname, people.values()));
      return;
    }
    const result =
      person === '' ? { error: 'access_denied' } : { login: { accountId: person }, select_account: {} };
    await provider.interactionFinished(request, response, result);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', issuer);
    if (state.down) {
      response.writeHead(503).end();
      return;
    }
    if (url.pathname.startsWith('/interaction/')) return interact(request, response, url);
    const { alter, key } = state;
    if (url.pathname === '/token' && alter !== undefined)
      changeTokenResponse(response, (token, access) => alterToken(token, access, alter, key));
    await provider.callback()(request, response);
  };

  return {
    issuer,
    clientId: CLIENT_ID,
    allow: (baseUrl: string): void => void bases.add(baseUrl),
    setPerson: (person: TestPerson): void => void people.set(person.id, person),
    removePerson: (id: string): void => void people.delete(id),
    signInAs: (person: string | undefined): void => void Object.assign(state, { person }),
    rotateKeys: (): void => {
      state.key = createKey();
      provider = createProvider();
    },
    setDown: (down: boolean): void => void Object.assign(state, { down }),
    setRefreshTokens: (refresh: boolean): void => void Object.assign(state, { refresh }),
    alterIdToken: (alter: Alter | undefined): void => void Object.assign(state, { alter }),
    close,
  };
};

export type TestProvider = Awaited<ReturnType<typeof startOidcProvider>>;
