import * as z from 'zod';
import type { DeployedResource, DeployedTemplate, Problem } from '../deployed-template.ts';
import { ofType, propertyRule, type Rule, total } from './rule.ts';

/** Rules for policies, and for resources that refer to each other. */

/** IAM does not count white space. */
export const policyLength = (document: unknown): number =>
  JSON.stringify(document).replaceAll(/\s/g, '').length;

const longerThan = (limit: number) =>
  z.unknown().refine((document) => document === undefined || policyLength(document) <= limit, {
    error: ({ input }) => `has ${policyLength(input)} characters, and the limit is ${limit}`,
  });

const oneOrMore = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const statementSchema = z.looseObject({
  Action: oneOrMore.default([]),
  Resource: oneOrMore.default(['*']),
});
const documentSchema = z.looseObject({
  Statement: z.union([statementSchema.transform((one) => [one]), z.array(statementSchema)]),
});

const queuePolicy = documentSchema
  .transform(({ Statement }) => Statement)
  .pipe(
    z
      .array(
        z.looseObject({
          Action: z.array(z.string()).max(7),
          Resource: z.array(z.string()).length(1, 'a statement names one queue, or *'),
        }),
      )
      .max(20),
  );

/** The statements that invoke a function are one policy per function, alias or version. */
const permissionProblems = (deployed: DeployedTemplate): readonly Problem[] => {
  const permissions = ofType(deployed, 'AWS::Lambda::Permission');
  return [...Map.groupBy(permissions, ({ properties }) => String(properties.FunctionName))].flatMap(
    ([, own]): Problem[] => {
      const bytes = JSON.stringify(own.map(({ ref, properties }) => ({ Sid: ref, ...properties }))).length;
      const [first] = own;
      return bytes <= 20_480 || first === undefined
        ? []
        : [[first.logicalId, `the policy of its function has ${bytes} bytes, and the limit is 20480`]];
    },
  );
};

const attachedSchema = z.looseObject({
  Roles: z.array(z.string()).default([]),
  Policies: z.array(z.looseObject({ PolicyDocument: z.unknown() })).default([]),
  ManagedPolicyArns: z.array(z.string()).default([]),
});

/** Of a type of policies, those that name the role. */
const attachedTo = (deployed: DeployedTemplate, role: DeployedResource, type: string) =>
  ofType(deployed, type).filter(({ properties }) =>
    attachedSchema.parse(properties).Roles.includes(role.ref),
  );

const inlineProblems = (deployed: DeployedTemplate): readonly Problem[] =>
  ofType(deployed, 'AWS::IAM::Role').flatMap((role): Problem[] => {
    const own = attachedSchema.parse(role.properties).Policies.map(({ PolicyDocument }) => PolicyDocument);
    const others = attachedTo(deployed, role, 'AWS::IAM::Policy').map(
      ({ properties }) => properties.PolicyDocument,
    );
    const characters = total([...own, ...others].map(policyLength));
    return characters <= 10_240
      ? []
      : [
          [
            role.logicalId,
            `its inline policies have ${characters} characters together, and the limit is 10240`,
          ],
        ];
  });

const attachedProblems = (deployed: DeployedTemplate): readonly Problem[] =>
  ofType(deployed, 'AWS::IAM::Role').flatMap((role): Problem[] => {
    const attached =
      attachedSchema.parse(role.properties).ManagedPolicyArns.length +
      attachedTo(deployed, role, 'AWS::IAM::ManagedPolicy').length;
    return attached <= 10 ? [] : [[role.logicalId, `has ${attached} managed policies, and the limit is 10`]];
  });

const functionSchema = z.looseObject({
  Timeout: z.number().default(3),
  ReservedConcurrentExecutions: z.number().optional(),
});

/** By name or ARN, with or without an alias. */
const findFunction = (deployed: DeployedTemplate, named: unknown): DeployedResource | undefined =>
  ofType(deployed, 'AWS::Lambda::Function').find(
    ({ ref, attributes: { Arn } }) => named === ref || named === Arn || String(named).startsWith(`${Arn}:`),
  );

const visibilityProblems = (deployed: DeployedTemplate): readonly Problem[] =>
  ofType(deployed, 'AWS::Lambda::EventSourceMapping').flatMap(({ logicalId, properties }): Problem[] => {
    const queue = ofType(deployed, 'AWS::SQS::Queue').find(
      ({ attributes: { Arn } }) => Arn === properties.EventSourceArn,
    );
    const lambda = findFunction(deployed, properties.FunctionName);
    if (queue === undefined || lambda === undefined) return [];
    const hidden = z.number().parse(queue.properties.VisibilityTimeout ?? 30);
    const { Timeout } = functionSchema.parse(lambda.properties);
    return hidden >= Timeout
      ? []
      : [
          [
            logicalId,
            `Queue visibility timeout: ${hidden} seconds is less than Function timeout: ${Timeout} seconds`,
          ],
        ];
  });

const LEAST_UNRESERVED = 100;

const reservationProblems = (deployed: DeployedTemplate): readonly Problem[] => {
  const quota = deployed.template.Metadata.AccountQuotas.LambdaConcurrentExecutions;
  const functions = ofType(deployed, 'AWS::Lambda::Function').map((lambda) => ({
    logicalId: lambda.logicalId,
    reserved: functionSchema.parse(lambda.properties).ReservedConcurrentExecutions ?? 0,
  }));
  const left = quota - total(functions.map(({ reserved }) => reserved));
  const [first] = functions.filter(({ reserved }) => reserved > 0);
  return first === undefined || left >= LEAST_UNRESERVED
    ? []
    : [
        [
          first.logicalId,
          `ReservedConcurrentExecutions decreases the account's UnreservedConcurrentExecution to ${left}, below its minimum value of ${LEAST_UNRESERVED}`,
        ],
      ];
};

/** What IAM accepts in a description. */
const DESCRIPTION = /^[\t\n\r\x20-\x7e\xa1-\xff]{0,1000}$/;

export const POLICY_RULES: readonly Rule[] = [
  propertyRule(
    'role',
    'IAM API: CreateRole',
    'AWS::IAM::Role',
    z.looseObject({
      Description: z.string().regex(DESCRIPTION).optional(),
      AssumeRolePolicyDocument: longerThan(2048),
      MaxSessionDuration: z.number().min(3600).max(43_200).optional(),
    }),
  ),
  { name: 'inline policies', source: 'IAM quotas: inline policies of a role', check: inlineProblems },
  { name: 'attached policies', source: 'IAM quotas: managed policies per role', check: attachedProblems },
  propertyRule(
    'managed policy',
    'IAM quotas: managed policy length',
    'AWS::IAM::ManagedPolicy',
    z.looseObject({ PolicyDocument: longerThan(6144), Description: z.string().max(1000).optional() }),
  ),
  propertyRule(
    'bucket policy',
    'S3 user guide: bucket policies are limited to 20 KB',
    'AWS::S3::BucketPolicy',
    z.looseObject({ PolicyDocument: longerThan(20_480) }),
  ),
  propertyRule(
    'queue policy length',
    'SQS quotas: policy',
    'AWS::SQS::QueuePolicy',
    z.looseObject({ PolicyDocument: longerThan(8192) }),
  ),
  propertyRule(
    'queue policy statements',
    'SQS quotas: policy; SQS rejects statements with several queues',
    'AWS::SQS::QueuePolicy',
    z.looseObject({ PolicyDocument: queuePolicy }),
  ),
  { name: 'function policy', source: 'Lambda quotas: resource-based policy', check: permissionProblems },
  {
    name: 'visibility timeout',
    source: 'Lambda API: CreateEventSourceMapping',
    check: visibilityProblems,
  },
  { name: 'reserved concurrency', source: 'Lambda API: PutFunctionConcurrency', check: reservationProblems },
];
