import { Grant as IamGrant } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { CfnResource, Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { LIMITED } from '../../functions/platform/domain/retention.ts';
import type { Config } from '../config.ts';
import { allOf, type Grant, settings } from '../lambda/service-function.ts';
import { allowKey } from './customer-key.ts';
import { keepOnceCreated } from './retention.ts';
import { DUE, tableWith } from './service-table.ts';

export const DAY_SECONDS = 24 * 60 * 60;

/** The files of accounts, the total size of each account's uploads, and image requests with an `Idempotency-Key`. */
export class FileTable extends tableWith((FILE_TABLE: string) => ({ FILE_TABLE }), {
  key: 'account',
  sortKey: 'id',
  expires: true,
  indexes: DUE,
}) {
  readonly create = () => allOf(this.grant(['PutItem', 'UpdateItem']), this.#terms());
  /** Creates a file and finds it again, to add the bytes that arrive. */
  readonly receive = () => allOf(this.grant(['GetItem', 'PutItem', 'UpdateItem']), this.#terms());
  readonly list = () => this.grant(['Query']);
  /** Finds a file and records that it has been uploaded. */
  readonly find = () => this.grant(['GetItem', 'UpdateItem']);
  readonly remove = () => this.find();
  /** Adds generated images, and the requests that an `Idempotency-Key` may repeat. */
  readonly keepImages = () => this.grant(['GetItem', 'PutItem', 'UpdateItem']);
  /** Finds the files that a request names. */
  readonly use = () => this.grant(['GetItem']);
  /** Responses are in this table too, beside the files of their images. */
  readonly removeResponses = () => this.grant(['GetItem', 'UpdateItem', 'DeleteItem']);
  /** Collections are in this table too. */
  readonly changeCollections = () => this.grant(['GetItem', 'Query', 'PutItem', 'DeleteItem']);
  readonly expire = () => this.grant(['UpdateItem', 'DeleteItem'], 'due');

  #terms() {
    return settings({
      FILE_STORAGE_MEGABYTES: String(this.config.fileStorageMegabytes),
      FILE_RETENTION_SECONDS: String(this.config.fileRetentionDays * DAY_SECONDS),
    });
  }
}

/**
 * The console reads images and frames of videos; other pages do so after a redirect from the API, with the origin `null`,
 * so the bucket cannot check it. The signed URL grants access. With any origin other than `*`, S3 would allow credentials.
 */
const DOWNLOADS = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.GET, HttpMethods.HEAD],
  allowedHeaders: ['*'],
  exposedHeaders: ['Accept-Ranges', 'Content-Disposition', 'Content-Length', 'Content-Range', 'ETag'],
  maxAge: 7200,
};

/**
 * The console uploads to signed URLs. Its origin, the API, is created after the bucket and cannot be named here; the
 * signature grants access and covers the headers of the upload.
 */
const UPLOADS = {
  allowedOrigins: ['*'],
  allowedMethods: [HttpMethods.PUT],
  allowedHeaders: ['*'],
  maxAge: 7200,
};

const LONGEST_UPLOAD_DAYS = 30;

/** The clean-up has one more day to remove a file and correct the account's total. */
const longestFileDays = ({ videoRetentionDays }: Config): number =>
  1 + Math.max(LONGEST_UPLOAD_DAYS, videoRetentionDays);

/** A task can take more than a day, and its video is then kept for as long as any other. */
const longestInputDays = ({ videoRetentionDays }: Config): number => videoRetentionDays + 2;

const LIMITED_TAG = { [LIMITED.name]: LIMITED.value };

/** Files begin with a tag, by which the bucket deletes them. */
const STORE_FILES = [
  ['s3:PutObject', 'files/*'],
  ['s3:PutObjectTagging', 'files/*'],
] as const;

/** Keeps files and videos, or releases them by writing them again with the tag. */
const RETAIN_FILES = [...STORE_FILES, ['s3:DeleteObjectTagging', 'files/*']] as const;
const RETAIN_VIDEOS = [
  ['s3:PutObject', 'videos/*'],
  ['s3:PutObjectTagging', 'videos/*'],
  ['s3:DeleteObjectTagging', 'videos/*'],
] as const;

const SET_ASIDE = [...STORE_FILES, ['s3:PutObject', 'removed-files/*']] as const;

const REMOVE_ALL = [
  ['s3:DeleteObject', 'inputs/*'],
  ['s3:DeleteObject', 'videos/*'],
] as const;

type MediaVariables = { readonly MEDIA_BUCKET: string };

/** Videos, input images and files, each under a prefix. The bucket is private; clients use signed URLs. */
export class MediaBucket extends Construct {
  readonly bucket: Bucket;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, props: Config) {
    super(scope, id);
    this.#keyArn = props.kmsKeyArn;
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: keepOnceCreated(props),
      cors: [DOWNLOADS, UPLOADS],
      lifecycleRules: [
        // Kept items have no tag, and never expire.
        {
          id: 'videos',
          prefix: 'videos/',
          tagFilters: LIMITED_TAG,
          expiration: Duration.days(props.videoRetentionDays),
        },
        { id: 'inputs', prefix: 'inputs/', expiration: Duration.days(longestInputDays(props)) },
        {
          id: 'files',
          prefix: 'files/',
          tagFilters: LIMITED_TAG,
          expiration: Duration.days(longestFileDays(props)),
        },
        { id: 'previews', prefix: 'previews/', expiration: Duration.days(longestFileDays(props)) },
        { id: 'removed-files', prefix: 'removed-files/', expiration: Duration.days(1) },
        { id: 'uploads', prefix: 'uploads/', expiration: Duration.days(1) },
        { id: 'unfinished-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
    });
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'The API access log has each request that creates a signed URL. The setting dataEventLog adds each transfer.',
    });
    this.#acknowledgePrefixes();
  }

  /** Each grant is for a prefix, which needs a wildcard. */
  #acknowledgePrefixes(): void {
    const resource = this.bucket.node.defaultChild;
    if (!CfnResource.isCfnResource(resource)) throw new Error('the bucket has no resource');
    const logicalId = Stack.of(this).getLogicalId(resource);
    for (const prefix of ['inputs', 'videos', 'files', 'previews', 'removed-files', 'uploads'])
      Validations.of(Stack.of(this)).acknowledge({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}/*]`,
        reason: `Objects under ${prefix}/ are named at run time; the grant is limited to this prefix.`,
      });
  }

  readonly storeInputs = () => this.#grant([['s3:PutObject', 'inputs/*']]);
  /** Signs URLs, with which clients read. */
  readonly serveVideos = () => this.#grant([['s3:GetObject', 'videos/*']]);
  /** Reads videos that fit into a response. */
  readonly readVideos = () => this.#read('videos/*');
  readonly serveFiles = () => this.#grant([['s3:GetObject', 'files/*']]);
  readonly serveInputs = () =>
    this.#grant([
      ['s3:GetObject', 'inputs/*'],
      ['s3:GetObject', 'files/*'],
    ]);
  readonly storeFiles = () => this.#grant(STORE_FILES);
  readonly retain = () =>
    allOf(this.#read('files/*', 'videos/*'), this.#grant([...RETAIN_FILES, ...RETAIN_VIDEOS]));
  /** Stores files, and until they are complete, their chunks. */
  readonly receiveFiles = () =>
    allOf(
      this.#grant([...STORE_FILES, ['s3:PutObject', 'uploads/*'], ['s3:DeleteObject', 'uploads/*']]),
      this.#read('uploads/*'),
    );
  readonly readFiles = () => this.#read('files/*');
  readonly keepPreviews = () =>
    allOf(this.#read('previews/*'), this.#grant([['s3:PutObject', 'previews/*']]));
  /** Stores generated images and returns them to repeated requests. */
  readonly keepImages = () => allOf(this.#read('files/*'), this.storeFiles());
  readonly setFilesAside = () => allOf(this.#read('files/*'), this.#grant(SET_ASIDE));
  readonly expireFiles = () =>
    allOf(
      this.setFilesAside(),
      this.#grant([
        ['s3:DeleteObjectTagging', 'files/*'],
        ['s3:DeleteObject', 'files/*'],
        ['s3:DeleteObject', 'removed-files/*'],
        ['s3:DeleteObject', 'previews/*'],
      ]),
    );
  readonly removeAll = () => this.#grant(REMOVE_ALL);
  readonly work = () =>
    allOf(
      this.#read('inputs/*', 'files/*', 'removed-files/*'),
      this.#read('videos/*'),
      this.#grant([...RETAIN_VIDEOS, ['s3:AbortMultipartUpload', 'videos/*'], ...REMOVE_ALL]),
    );

  /** The host of signed URLs, for the page that plays videos. */
  readonly host = () => settings({ MEDIA_HOST: this.bucket.bucketRegionalDomainName });

  readonly sweepInputs = () =>
    allOf(this.#grant([['s3:DeleteObject', 'inputs/*']]), this.#list('StringEquals', 'inputs/'));

  /** For objects that may be missing: S3 answers 404 only if the caller may list their prefix, otherwise 403. */
  #read(...objects: readonly string[]): Grant<MediaVariables> {
    const reading = this.#grant(objects.map((each) => ['s3:GetObject', each] as const));
    return allOf(reading, this.#list('StringLike', ...objects));
  }

  #list(operator: 'StringEquals' | 'StringLike', ...prefixes: readonly string[]): Grant<MediaVariables> {
    return {
      variables: { MEDIA_BUCKET: this.bucket.bucketName },
      allow: (grantee) => {
        IamGrant.addToPrincipal({
          grantee,
          actions: ['s3:ListBucket'],
          resourceArns: [this.bucket.bucketArn],
          conditions: { [operator]: { 's3:prefix': prefixes } },
        });
      },
    };
  }

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
