import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';

export type TableSettings = { readonly deletionProtection: boolean };

/** What all tables share: paid by the request, restorable to any second, and safe from a slip of the hand. */
export class ServiceTable extends Construct {
  readonly table: Table;

  constructor(
    scope: Construct,
    id: string,
    { deletionProtection }: TableSettings,
    key: string,
    props: Partial<TableProps> = {},
  ) {
    super(scope, id);
    this.table = new Table(this, 'Table', {
      ...props,
      partitionKey: { name: key, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      removalPolicy: deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }
}
