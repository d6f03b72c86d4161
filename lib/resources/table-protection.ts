import { RemovalPolicy } from 'aws-cdk-lib';
import { BillingMode, type TableProps } from 'aws-cdk-lib/aws-dynamodb';

/** What all tables share: paid by the request, restorable to any second, and safe from a slip of the hand. */
export const tableProtection = (deletionProtection: boolean) =>
  ({
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection,
    removalPolicy: deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  }) satisfies Partial<TableProps>;
