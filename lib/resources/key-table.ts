import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { tableProtection } from './table-protection.ts';

/** API keys by the hash of the key; the keys themselves are nowhere. */
export class KeyTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: { readonly deletionProtection: boolean }) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      ...tableProtection(props.deletionProtection),
      partitionKey: { name: 'hash', type: AttributeType.STRING },
    });
  }

  readonly find = (): Grant<{ readonly KEY_TABLE: string }> => ({
    variables: { KEY_TABLE: this.table.tableName },
    allow: (grantee) => {
      this.table.grant(grantee, 'dynamodb:GetItem');
    },
  });
}
