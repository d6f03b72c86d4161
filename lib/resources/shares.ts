import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { ServiceTable, type TableSettings } from './service-table.ts';

/**
 * Share links by an id that their token leads to, and the number of links of each account. A table of its own, so that
 * the functions that anyone can call read nothing else by a key that a visitor chooses.
 */
export class ShareTable extends ServiceTable<{ readonly SHARE_TABLE: string }> {
  protected readonly variables = { SHARE_TABLE: this.table.tableName };

  constructor(scope: Construct, id: string, settings: TableSettings) {
    super(scope, id, settings, 'id', { timeToLiveAttribute: 'expires' });
    this.addAccountIndex({ name: 'id', type: AttributeType.STRING });
  }

  readonly find = () => this.grant(['GetItem']);
  readonly list = () => this.grant([], 'by-account');
  /** Adds a link, and counts the links of the account if it has many. */
  readonly add = () => this.grant(['PutItem', 'UpdateItem'], 'by-account');
  readonly revoke = () => this.grant(['DeleteItem', 'UpdateItem']);
}
