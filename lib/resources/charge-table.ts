import { AttributeType, ProjectionType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { ServiceTable, type TableSettings } from './service-table.ts';

/** The charge records: they outlive the tasks, and functions can only add to them and list an account's. */
export class ChargeTable extends ServiceTable {
  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'id');
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: { name: 'account', type: AttributeType.STRING },
      sortKey: { name: 'time', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  readonly record = () => this.#grant('dynamodb:PutItem');
  readonly list = () => this.#grant('dynamodb:Query', '/index/by-account');

  #grant(action: string, within = ''): Grant<{ readonly CHARGE_TABLE: string }> {
    return {
      variables: { CHARGE_TABLE: this.table.tableName },
      allow: (grantee) => {
        this.allow(grantee, [action], within);
      },
    };
  }
}
