import { issueSignInUrl } from '../../lib/operator/administration.ts';
import { type Answer, call } from './http.ts';
import type { ServiceAddress } from './service.ts';

type Addressed = Pick<ServiceAddress, 'baseUrl' | 'operator' | 'sessionsTable'>;

/** Headers that a browser adds to requests of the console's own page. */
export const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

export const sessionStore = ({ operator, sessionsTable }: Addressed) => ({
  clientConfig: operator,
  tableName: sessionsTable,
});

/** The token of a new link. */
export const newToken = async (service: Addressed, account: string): Promise<string> =>
  (await issueSignInUrl(sessionStore(service), service.baseUrl, account)).split('#')[1] ?? '';

export const redeem = (
  { baseUrl }: Addressed,
  token: unknown,
  headers: Record<string, string> = FROM_PAGE,
): Promise<Answer> =>
  call({ baseUrl, apiKey: '' }, 'POST', '/v1/console/sessions', { json: { token }, headers });

const readCookie = ({ headers }: Answer): string => {
  const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';');
  if (cookie === '') throw new Error('the answer sets no cookie');
  return cookie;
};

/** Signs in; returns how the page calls, and the cookie alone. */
export const signIn = async (service: Addressed, account: string) => {
  const answer = await redeem(service, await newToken(service, account));
  const cookie = readCookie(answer);
  const access = { baseUrl: service.baseUrl, apiKey: '' };
  return {
    id: String(answer.body.id),
    cookie,
    call: (method: string, path: string, json?: unknown): Promise<Answer> =>
      call(access, method, path, {
        headers: { ...FROM_PAGE, cookie },
        ...(json === undefined ? {} : { json }),
      }),
  };
};
