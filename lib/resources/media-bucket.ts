import { CfnResource, Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { Grant as IamGrant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type Grant, settings } from '../lambda/grant.ts';
import { allowKey, type KeySettings } from './customer-key.ts';

type MediaVariables = { readonly MEDIA_BUCKET: string };
type Props = KeySettings & {
  readonly deletionProtection: boolean;
  readonly videoRetentionDays: number;
  readonly inputRetentionDays: number;
  readonly allowedOrigins: readonly string[];
};

/**
 * A page that follows the redirect from the API arrives with the origin `null`, so that its own cannot be asked for.
 * The signed address is what gives access; and with any other origin than `*`, S3 allows credentials.
 */
const FOR_PAGES = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedHeaders: ['*'],
  exposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'Content-Range', 'ETag'],
  maxAge: 7200,
};

/**
 * For uploads by signed address, which the page of the console makes. The API's own address cannot be named here, since
 * it is made after the bucket; the signature gives access, and it covers all that an upload says.
 */
const FOR_UPLOADS = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.PUT],
  allowedHeaders: ['*'],
  maxAge: 7200,
};

/** A file may ask for 30; the day more is for the clean-up, which keeps count of what it removes. */
const LONGEST_FILE_DAYS = 31;

/** Videos, input images and files, each under a prefix; private, and reached from outside by signed addresses only. */
export class MediaBucket extends Construct {
  readonly bucket: Bucket;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.#keyArn = props.kmsKeyArn;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: props.deletionProtection ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
      cors: props.allowedOrigins.length === 0 ? [FOR_UPLOADS] : [FOR_PAGES, FOR_UPLOADS],
      lifecycleRules: [
        { id: 'videos', prefix: 'videos/', expiration: Duration.days(props.videoRetentionDays) },
        { id: 'inputs', prefix: 'inputs/', expiration: Duration.days(props.inputRetentionDays) },
        { id: 'files', prefix: 'files/', expiration: Duration.days(LONGEST_FILE_DAYS) },
        { id: 'removed-files', prefix: 'removed-files/', expiration: Duration.days(1) },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Each download is in the API access log and its object lives for days; a log bucket would outlive it.',
    });
    this.#acknowledgePrefixes();
  }

  /** Each grant names a prefix of this bucket, which cannot be said without a wildcard. */
  #acknowledgePrefixes(): void {
    const resource = this.bucket.node.defaultChild;
    if (!CfnResource.isCfnResource(resource)) throw new Error('the bucket has no resource');
    const logicalId = Stack.of(this).getLogicalId(resource);
    for (const prefix of ['inputs', 'videos', 'files', 'removed-files'])
      Validations.of(Stack.of(this)).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}/*]`,
        reason: `Names of the objects under ${prefix}/ are made at run time; the grant is for this prefix alone.`,
      });
  }

  readonly storeInputs = () => this.#grant([['s3:PutObject', 'inputs/*']]);
  readonly serveVideos = () => this.#grant([['s3:GetObject', 'videos/*']]);
  readonly storeFiles = () => this.#grant([['s3:PutObject', 'files/*']]);
  readonly readFiles = () => this.#grant([['s3:GetObject', 'files/*']]);
  readonly setFilesAside = () => this.#grant(SET_ASIDE);
  readonly expireFiles = () =>
    this.#grant([...SET_ASIDE, ['s3:DeleteObject', 'files/*'], ['s3:DeleteObject', 'removed-files/*']]);
  readonly removeAll = () => this.#grant(REMOVE_ALL);
  readonly work = () =>
    this.#grant([
      ['s3:GetObject', 'inputs/*'],
      ['s3:GetObject', 'files/*'],
      ['s3:GetObject', 'removed-files/*'],
      ['s3:PutObject', 'videos/*'],
      ['s3:AbortMultipartUpload', 'videos/*'],
      ...REMOVE_ALL,
    ]);

  /** Where signed addresses lead, for a page that plays videos. */
  readonly host = () => settings({ MEDIA_HOST: this.bucket.bucketRegionalDomainName });

  readonly sweepInputs = (): Grant<MediaVariables> => {
    const removing = this.#grant([['s3:DeleteObject', 'inputs/*']]);
    return {
      variables: removing.variables,
      allow: (grantee) => {
        removing.allow(grantee);
        IamGrant.addToPrincipal({
          grantee,
          actions: ['s3:ListBucket'],
          resourceArns: [this.bucket.bucketArn],
          conditions: { StringEquals: { 's3:prefix': 'inputs/' } },
        });
      },
    };
  };

  #grant(permissions: readonly (readonly [action: string, objects: string])[]): Grant<MediaVariables> {
    return {
      variables: { MEDIA_BUCKET: this.bucket.bucketName },
      allow: (grantee) => {
        for (const [action, objects] of permissions) {
          IamGrant.addToPrincipal({
            grantee,
            actions: [action],
            resourceArns: [this.bucket.arnForObjects(objects)],
          });
          if (action === 's3:GetObject') allowKey(this, this.#keyArn, 'getObject', grantee);
          if (action === 's3:PutObject') allowKey(this, this.#keyArn, 'putObject', grantee);
        }
      },
    };
  }
}

const SET_ASIDE = [
  ['s3:GetObject', 'files/*'],
  ['s3:PutObject', 'files/*'],
  ['s3:PutObject', 'removed-files/*'],
] as const;

const REMOVE_ALL = [
  ['s3:DeleteObject', 'inputs/*'],
  ['s3:DeleteObject', 'videos/*'],
] as const;
