import type { AttributeValue } from '@aws-sdk/client-dynamodb';

const plainValue = ({ S, N, BOOL, L, M }: AttributeValue): unknown => {
  if (N !== undefined) return Number(N);
  if (L !== undefined) return L.map(plainValue);
  if (M !== undefined) return plainItem(M);
  return S ?? BOOL ?? null;
};

/** A stored item without DynamoDB's types. */
export const plainItem = (item: Record<string, AttributeValue>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
