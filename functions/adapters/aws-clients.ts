import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Short enough that a lost packet is tried again well before the caller gives up. */
export const CLIENT_OPTIONS = {
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 2000, requestTimeout: 10_000 },
};

export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient(CLIENT_OPTIONS), {
    marshallOptions: { removeUndefinedValues: true },
  });

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Runs a conditional write: false when its condition does not hold. */
export const holds = async (write: Promise<unknown>): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (hasName(error, 'ConditionalCheckFailedException')) return false;
    throw error;
  }
};
