import { AttributeType, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Grant } from '../lambda/grant.ts';
import { tableProtection } from './table-protection.ts';

/** The charge records: they outlive the tasks, and functions can only add to them. */
export class ChargeTable extends Construct {
  readonly table: Table;

  constructor(scope: Construct, id: string, props: { readonly deletionProtection: boolean }) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      ...tableProtection(props.deletionProtection),
      partitionKey: { name: 'id', type: AttributeType.STRING },
    });
    this.table.addGlobalSecondaryIndex({
      indexName: 'by-account',
      partitionKey: { name: 'account', type: AttributeType.STRING },
      sortKey: { name: 'time', type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });
  }

  readonly record = (): Grant<{ readonly CHARGE_TABLE: string }> => ({
    variables: { CHARGE_TABLE: this.table.tableName },
    allow: (grantee) => {
      IamGrant.addToPrincipal({
        grantee,
        actions: ['dynamodb:PutItem'],
        resourceArns: [this.table.tableArn],
      });
    },
  });
}
