import * as z from 'zod';
import { AwsError, type Service } from '../emulators/aws-http/service.ts';
import { queryService } from './query-service.ts';
import type { Home } from './stack-record.ts';

type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string };

type Options = {
  readonly home: Home;
  readonly credentials: (principal: string) => Credentials;
  /** Whether a stack has created this role, and the principal may assume it. */
  readonly mayAssume: (principal: string, role: string, arn: string) => Promise<boolean>;
};

const HOUR = 60 * 60 * 1000;
const PREFIX = 'assumed-role/';

const callerArn = ({ accountId }: Home, principal: string): string =>
  principal.startsWith(PREFIX)
    ? `arn:aws:sts::${accountId}:${principal}`
    : `arn:aws:iam::${accountId}:user/${principal}`;

/** Who calls, and the roles of stacks that may be assumed. */
export const securityTokens = ({ home, credentials, mayAssume }: Options): Service =>
  queryService({
    namespace: 'https://sts.amazonaws.com/doc/2011-06-15/',
    operations: {
      GetCallerIdentity: (_, { principal }) => ({
        Arn: callerArn(home, principal),
        UserId: principal,
        Account: home.accountId,
      }),
      AssumeRole: async (input, { principal }) => {
        const { RoleArn, RoleSessionName } = z
          .looseObject({ RoleArn: z.string(), RoleSessionName: z.string() })
          .parse(input);
        const name = RoleArn.slice(RoleArn.lastIndexOf('/') + 1);
        const isOwn = RoleArn === `arn:aws:iam::${home.accountId}:role/${name}`;
        if (!isOwn || !(await mayAssume(principal, name, RoleArn)))
          throw new AwsError(
            403,
            'AccessDenied',
            `User: ${callerArn(home, principal)} is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`,
          );
        const assumed = `${PREFIX}${name}/${RoleSessionName}`;
        const { accessKeyId, secretAccessKey } = credentials(assumed);
        return {
          AssumedRoleUser: { AssumedRoleId: `${name}:${RoleSessionName}`, Arn: callerArn(home, assumed) },
          Credentials: {
            AccessKeyId: accessKeyId,
            SecretAccessKey: secretAccessKey,
            SessionToken: 'local',
            Expiration: new Date(Date.now() + HOUR),
          },
        };
      },
    },
  });

const newPolicySchema = z.looseObject({
  PolicyName: z.string().regex(/^[\w+=,.@-]{1,128}$/),
  PolicyDocument: z.string(),
});
const newVersionSchema = z.looseObject({
  PolicyArn: z.string(),
  PolicyDocument: z.string(),
  SetAsDefault: z.literal('true', 'the local cloud uses only the default version'),
});

/** A managed policy has at most this many characters without white space. */
const MAX_POLICY_CHARACTERS = 6144;

const documentSchema = z.looseObject({ Version: z.literal('2012-10-17'), Statement: z.array(z.unknown()) });

const readDocument = (text: string): object => {
  const { data, error } = documentSchema.safeParse(JSON.parse(text));
  if (error !== undefined) throw new AwsError(400, 'MalformedPolicyDocument', z.prettifyError(error));
  if (JSON.stringify(data).length > MAX_POLICY_CHARACTERS)
    throw new AwsError(409, 'LimitExceeded', `Cannot exceed quota for PolicySize: ${MAX_POLICY_CHARACTERS}`);
  return data;
};

/** Customer-managed policies, with which the account can be prepared for a least-privilege deployment. */
export const managedPolicies = ({ accountId }: Home) => {
  /** The default versions by ARN. */
  const documents = new Map<string, object>();
  const service = queryService({
    namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    operations: {
      CreatePolicy: (input) => {
        const { PolicyName, PolicyDocument } = newPolicySchema.parse(input);
        const Arn = `arn:aws:iam::${accountId}:policy/${PolicyName}`;
        if (documents.has(Arn))
          throw new AwsError(409, 'EntityAlreadyExists', `A policy called ${PolicyName} already exists.`);
        documents.set(Arn, readDocument(PolicyDocument));
        return { Policy: { PolicyName, Arn, DefaultVersionId: 'v1' } };
      },
      CreatePolicyVersion: (input) => {
        const { PolicyArn, PolicyDocument } = newVersionSchema.parse(input);
        if (!documents.has(PolicyArn))
          throw new AwsError(404, 'NoSuchEntity', `Policy ${PolicyArn} does not exist.`);
        documents.set(PolicyArn, readDocument(PolicyDocument));
        return { PolicyVersion: { IsDefaultVersion: true, CreateDate: new Date() } };
      },
    },
  });
  return { service, document: (arn: string) => documents.get(arn) };
};
