import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** Sign-in links and the console sessions that they become. */
export class SessionTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'id', { timeToLiveAttribute: 'expires' });
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: { name: 'account', type: AttributeType.STRING },
      sortKey: { name: 'createdAt', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  readonly find = () => this.#grant('dynamodb:GetItem');
  readonly redeem = () => this.#grant('dynamodb:GetItem', 'dynamodb:UpdateItem');
  readonly addLinks = () => this.#grant('dynamodb:PutItem');
  readonly end = () => this.#grant('dynamodb:DeleteItem');

  readonly list = (): Grant<{ readonly SESSION_TABLE: string }> => ({
    variables: { SESSION_TABLE: this.table.tableName },
    allow: (grantee) => {
      this.allow(grantee, ['dynamodb:Query'], '/index/by-account');
    },
  });

  #grant(...actions: string[]): Grant<{ readonly SESSION_TABLE: string }> {
    return {
      variables: { SESSION_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, actions);
      },
    };
  }
}
