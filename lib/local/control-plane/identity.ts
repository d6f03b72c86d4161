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

const policySchema = z.looseObject({
  PolicyName: z.string().regex(/^[\w+=,.@-]{1,128}$/),
  PolicyDocument: z.string(),
});

/** A managed policy has at most this many characters without white space. */
const MAX_POLICY_CHARACTERS = 6144;

const documentSchema = z.looseObject({ Version: z.literal('2012-10-17'), Statement: z.array(z.unknown()) });

/** Customer-managed policies, with which the account can be prepared for a least-privilege deployment. */
export const managedPolicies = ({ accountId }: Home) => {
  const policies = new Map<string, object>();
  const describe = (name: string) => ({
    PolicyName: name,
    Arn: `arn:aws:iam::${accountId}:policy/${name}`,
    DefaultVersionId: 'v1',
  });
  const service = queryService({
    namespace: 'https://iam.amazonaws.com/doc/2010-05-08/',
    operations: {
      CreatePolicy: (input) => {
        const { PolicyName, PolicyDocument } = policySchema.parse(input);
        if (policies.has(PolicyName))
          throw new AwsError(409, 'EntityAlreadyExists', `A policy called ${PolicyName} already exists.`);
        const document = documentSchema.safeParse(JSON.parse(PolicyDocument));
        if (!document.success)
          throw new AwsError(400, 'MalformedPolicyDocument', z.prettifyError(document.error));
        if (JSON.stringify(document.data).length > MAX_POLICY_CHARACTERS)
          throw new AwsError(
            409,
            'LimitExceeded',
            `Cannot exceed quota for PolicySize: ${MAX_POLICY_CHARACTERS}`,
          );
        policies.set(PolicyName, document.data);
        return { Policy: describe(PolicyName) };
      },
    },
  });
  return { service, document: (arn: string) => policies.get(arn.slice(arn.lastIndexOf('/') + 1)) };
};
