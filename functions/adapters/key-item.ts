import type { ApiKey } from '../domain/api-key.ts';
import { type Attributes, number, optional, text } from './attributes.ts';

/** A key as DynamoDB holds it: its properties are the attributes. A corrupt item throws. */
export const readKey = (item: Attributes): ApiKey =>
  ({
    id: text(item, 'id'),
    hash: text(item, 'hash'),
    account: text(item, 'account'),
    name: text(item, 'name'),
    lastFour: text(item, 'lastFour'),
    createdAt: number(item, 'createdAt'),
    revokedAt: optional(item, 'revokedAt', number),
  }) satisfies { readonly [Property in keyof Required<ApiKey>]: ApiKey[Property] };
