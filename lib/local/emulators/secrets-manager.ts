import * as z from 'zod';
import { AwsError, jsonService, type Service } from './aws-http/service.ts';
import type { Home } from './messages.ts';

const GetSecretValue = z.object({ SecretId: z.string().min(1) });

const ARN = /^arn:[^:]+:secretsmanager:[^:]*:[^:]*:secret:(.+)$/;
const SUFFIX = /-[A-Za-z0-9]{6}$/;

/** The name in an ARN, without the six characters that the service appends. */
const secretName = (id: string): string => (ARN.exec(id)?.[1] ?? id).replace(SUFFIX, '');

export const secretsManager = (
  { region, accountId }: Home,
  secrets: Readonly<Record<string, string>>,
): Service => {
  const find = (id: string) =>
    Object.entries(secrets).find(([key]) => key === id) ??
    Object.entries(secrets).find(
      ([key]) => ARN.test(key) !== ARN.test(id) && secretName(key) === secretName(id),
    );

  const secretArn = (id: string): string =>
    [id, find(id)?.[0]].find((candidate) => candidate !== undefined && ARN.test(candidate)) ??
    `arn:aws:secretsmanager:${region}:${accountId}:secret:${id}-000000`;

  const getSecretValue = (input: unknown) => {
    const { SecretId } = GetSecretValue.parse(input);
    const found = find(SecretId);
    if (found === undefined) {
      throw new AwsError(
        400,
        'ResourceNotFoundException',
        "Secrets Manager can't find the specified secret.",
      );
    }
    return {
      ARN: secretArn(SecretId),
      Name: secretName(found[0]),
      SecretString: found[1],
      VersionStages: ['AWSCURRENT'],
    };
  };

  return jsonService({
    target: 'secretsmanager',
    operations: new Map([['GetSecretValue', getSecretValue]]),
    accessedBy: (operation, input) => {
      const resource = secretArn(GetSecretValue.parse(input).SecretId);
      return [{ action: `secretsmanager:${operation}`, resource }];
    },
    close: async () => {},
  });
};
