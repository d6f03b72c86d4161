import { Stack } from 'aws-cdk-lib';
import { CfnFunction, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import { settingError } from '../config.ts';

/** What Lambda takes for the names and values of all variables of a function together. */
const MAX_BYTES = 4096;
/** A name or an ARN that is not known before the deployment. */
const UNKNOWN_BYTES = 150;

const Environment = z.object({ variables: z.record(z.string(), z.unknown()).default({}) });

const variablesOf = (lambda: LambdaFunction): readonly (readonly [name: string, bytes: number])[] => {
  const resource = lambda.node.defaultChild;
  if (!(resource instanceof CfnFunction)) return [];
  const { variables } = Environment.parse(Stack.of(lambda).resolve(resource.environment) ?? {});
  return Object.entries(variables).map(([name, value]) => [
    name,
    name.length + (typeof value === 'string' ? Buffer.byteLength(value) : UNKNOWN_BYTES),
  ]);
};

const settingOf = (variable: string): string =>
  variable.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** A deployment would fail at its first function, minutes later, without a word about the setting. */
export const assertEnvironmentFits = (name: string, lambda: LambdaFunction): void => {
  const variables = variablesOf(lambda);
  const total = variables.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (total <= MAX_BYTES) return;
  const [[largest] = ['']] = variables.toSorted(([, one], [, other]) => other - one);
  throw settingError(
    settingOf(largest),
    `is too long: the variables of ${name} would take about ${total} bytes, and Lambda takes ${MAX_BYTES}`,
  );
};
