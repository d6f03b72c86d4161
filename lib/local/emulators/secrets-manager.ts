import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { hasCode } from '../errors.ts';
import { AwsError, jsonService, type Service } from './aws-http/service.ts';
import type { Home } from './messages.ts';

const OnSecret = z.object({ SecretId: z.string().min(1) });
/** As on AWS, a value has at most 64 KB. */
const PutSecretValue = OnSecret.extend({
  SecretString: z.string().min(1).max(65_536),
  ClientRequestToken: z.string().optional(),
});

const ARN = /^arn:[^:]+:secretsmanager:[^:]*:[^:]*:secret:(.+)$/;
const SUFFIX = /-[A-Za-z0-9]{6}$/;

/** The name in an ARN, without the six characters that the service appends. */
const secretName = (id: string): string => (ARN.exec(id)?.[1] ?? id).replace(SUFFIX, '');

const storedSchema = z.record(z.string(), z.string());

/** Values that were put by request, by the name of the secret. They are kept, and replace the given ones. */
const openValues = (file: string) => {
  const read = (): Record<string, string> => {
    try {
      return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
      return {};
    }
  };
  const values = read();
  const save = (): void => {
    // A process that is killed while it writes leaves the earlier file.
    writeFileSync(`${file}.new`, JSON.stringify(values));
    renameSync(`${file}.new`, file);
  };
  return {
    find: (key: string): string | undefined => (Object.hasOwn(values, key) ? values[key] : undefined),
    put: (key: string, value: string): void => {
      values[key] = value;
      save();
    },
    remove: (key: string): void => {
      if (!Object.hasOwn(values, key)) return;
      delete values[key];
      save();
    },
  };
};

export const secretsManager = ({ region, accountId }: Home, dataDir: string): Service => {
  const values = openValues(join(dataDir, 'values.json'));
  let secrets: Readonly<Record<string, string>> = {};

  const find = (id: string) =>
    Object.entries(secrets).find(([key]) => key === id) ??
    Object.entries(secrets).find(
      ([key]) => ARN.test(key) !== ARN.test(id) && secretName(key) === secretName(id),
    );

  const require = (id: string) => {
    const found = find(id);
    if (found !== undefined) return found;
    throw new AwsError(400, 'ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  };

  const secretArn = (id: string): string =>
    [id, find(id)?.[0]].find((candidate) => candidate !== undefined && ARN.test(candidate)) ??
    `arn:aws:secretsmanager:${region}:${accountId}:secret:${id}-000000`;

  const operations = {
    GetSecretValue(input: unknown) {
      const { SecretId } = OnSecret.parse(input);
      const [key, given] = require(SecretId);
      return {
        ARN: secretArn(SecretId),
        Name: secretName(key),
        SecretString: values.find(secretName(key)) ?? given,
        VersionStages: ['AWSCURRENT'],
      };
    },
    PutSecretValue(input: unknown) {
      const { SecretId, SecretString, ClientRequestToken } = PutSecretValue.parse(input);
      const [key] = require(SecretId);
      values.put(secretName(key), SecretString);
      const VersionId =
        ClientRequestToken ?? createHash('sha256').update(SecretString).digest('hex').slice(0, 32);
      return { ARN: secretArn(SecretId), Name: secretName(key), VersionId, VersionStages: ['AWSCURRENT'] };
    },
  };

  const service = jsonService({
    target: 'secretsmanager',
    operations: new Map(Object.entries(operations)),
    accessedBy: (operation, input) => {
      const resource = secretArn(OnSecret.parse(input).SecretId);
      return [{ action: `secretsmanager:${operation}`, resource }];
    },
    close: async () => {},
  });
  return {
    ...service,
    provision({ secrets: wanted }) {
      for (const key of Object.keys(secrets)) if (!Object.hasOwn(wanted, key)) values.remove(secretName(key));
      secrets = wanted;
    },
  };
};
