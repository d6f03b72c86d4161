import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { dynamoClaims, readClaim } from '../../images/adapters/dynamo-claims.ts';
import type { ImageClaims } from '../../images/domain/kept-image.ts';
import { type Attributes, encode, text } from '../../platform/aws/attributes.ts';
import { dynamoTable } from '../../platform/aws/table.ts';
import type { ResponseRepository, ResponseTerms, StoredResponse } from '../domain/response.ts';

/** Responses are claims of images in the table of files, with their terms. DynamoDB removes them after their time. */

const termsSchema = z.object({
  isBackground: z.boolean(),
  instructions: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  previousResponseId: z.nullable(z.string()),
  temperature: z.nullable(z.number()),
  topP: z.nullable(z.number()),
  tool: z.record(z.string(), z.union([z.string(), z.number()])),
  action: z.enum(['generate', 'edit']),
  background: z.enum(['auto', 'opaque']),
  hasPartialImage: z.boolean(),
});

const readTerms = (item: Attributes): ResponseTerms => termsSchema.parse(JSON.parse(text(item, 'terms')));

const readResponse = (item: Attributes): StoredResponse => ({
  claim: readClaim(item),
  terms: readTerms(item),
});

/** The claims of a request whose response is stored. */
export const responseClaims = (client: DynamoDBClient, table: string, terms: ResponseTerms): ImageClaims =>
  dynamoClaims(client, table, encode({ terms: JSON.stringify(terms) }));

export const dynamoResponses = (client: DynamoDBClient, name: string): ResponseRepository => {
  const table = dynamoTable(client, name);
  return {
    find: (account, id) => table.get({ account, id }, readResponse),
    remove: async ({ claim: { account, id } }) => {
      await table.remove({ account, id });
    },
  };
};
