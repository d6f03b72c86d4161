import { RemovalPolicy } from 'aws-cdk-lib';
import { AttributeType, BillingMode, Table, type TableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Grant as IamGrant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { allowKey, type KeySettings } from './customer-key.ts';

export type TableSettings = KeySettings & { readonly deletionProtection: boolean };

/** What all tables share: paid by the request, restorable to any second, and safe from a slip of the hand. */
export class ServiceTable extends Construct {
  readonly table: Table;
  readonly #keyArn: string;

  constructor(
    scope: Construct,
    id: string,
    { deletionProtection, kmsKeyArn }: TableSettings,
    key: string,
    props: Partial<TableProps> = {},
  ) {
    super(scope, id);
    this.#keyArn = kmsKeyArn;
    this.table = new Table(this, 'Table', {
      ...props,
      partitionKey: { name: key, type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection,
      removalPolicy: deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
  }

  /** Allows actions on the table, or within it on an index (`/index/name`). */
  protected allow(grantee: IGrantable, actions: readonly string[], within = ''): void {
    IamGrant.addToPrincipal({
      grantee,
      actions: [...actions],
      resourceArns: [`${this.table.tableArn}${within}`],
    });
    allowKey(this, this.#keyArn, 'item', grantee);
  }
}
