import { RemovalPolicy } from 'aws-cdk-lib/core';
import type { Config } from '../config.ts';

/** For buckets and secrets: kept, unless the operation that creates them fails and is rolled back. */
export const keepOnceCreated = ({ deletionProtection }: Config): RemovalPolicy =>
  deletionProtection ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/**
 * For resources with deletion protection of their own, such as tables: kept in any case. CloudFormation cannot delete a
 * protected resource, so that `RetainExceptOnCreate` would end a failed first deployment in `ROLLBACK_FAILED`.
 */
export const keepProtected = ({ deletionProtection }: Config) => ({
  deletionProtection,
  removalPolicy: deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
});
