import { randomUUID } from 'node:crypto';
import { PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { memberWrites } from '../../functions/identity/adapters/dynamo-members.ts';
import { type Member, toPersonId } from '../../functions/identity/domain/person.ts';
import type { Role } from '../../functions/identity/domain/roles.ts';
import { generateLink } from '../../functions/identity/domain/session.ts';
import { encode } from '../../functions/platform/aws/attributes.ts';
import { issueSignInUrl } from '../../lib/operator/administration.ts';
import { dynamoClient } from '../../lib/operator/dynamo-client.ts';
import { type Answer, call } from './http.ts';
import type { ServiceAddress } from './service.ts';

type Addressed = Pick<ServiceAddress, 'baseUrl' | 'operator' | 'outputs' | 'sessionsTable'>;
type WithOutputs = Addressed & Pick<ServiceAddress, 'outputs'>;

/** Headers that a browser adds to requests of the console's own page. */
export const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

export const sessionStore = ({ operator, outputs, sessionsTable }: Addressed) => ({
  clientConfig: operator,
  outputs,
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

/** Opens a session with a link's token; returns how the page calls, and the cookie alone. */
const openSession = async (service: Addressed, token: string) => {
  const answer = await redeem(service, token);
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

/** Signs in with an operator's link, which gives the session the role admin and no person. */
export const signIn = async (service: Addressed, account: string) =>
  openSession(service, await newToken(service, account));

/** Adds a person to an account, as an accepted invitation does. */
export const addPerson = async (
  { operator, outputs }: WithOutputs,
  account: string,
  role: Role,
  change: Partial<Member> = {},
): Promise<Member> => {
  const identity = { issuer: 'https://accounts.test', subject: randomUUID() };
  const id = toPersonId(identity);
  const member: Member = {
    ...identity,
    account,
    id,
    email: `${id.slice(0, 12)}@example.com`,
    name: `Person ${id.slice(5, 9)}`,
    role,
    source: 'invitation',
    addedAt: Date.now(),
    ...change,
  };
  const added = memberWrites(outputs.MemberTableName ?? '').addMember(member);
  await dynamoClient(operator).send(new TransactWriteItemsCommand({ TransactItems: [added] }));
  return member;
};

/** Signs in a person of an account. */
export const signInAs = async (service: Addressed, { account, id, role }: Member) => {
  const { token, stored } = generateLink(account, Date.now(), { role, personId: id });
  const client = dynamoClient(service.operator);
  const item = encode({ ...stored, expires: Math.ceil(stored.linkUntil / 1000) });
  await client.send(new PutItemCommand({ TableName: service.sessionsTable, Item: item }));
  return openSession(service, token);
};

/** Adds a person with a role and signs in. */
export const signInPerson = async (
  service: WithOutputs,
  account: string,
  role: Role,
  change: Partial<Member> = {},
) => {
  const person = await addPerson(service, account, role, change);
  return { ...(await signInAs(service, person)), person };
};
