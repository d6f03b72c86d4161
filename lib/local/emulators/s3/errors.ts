import { AwsError } from '../aws-http/aws-error.ts';

const noSuchKey = (key: string): AwsError =>
  new AwsError(404, 'NoSuchKey', 'The specified key does not exist.', { details: { Key: key } });

/** What S3 says of a missing key to a caller that may not know which keys there are. */
const listingDenied = (principal: string, bucket: string): AwsError =>
  new AwsError(
    403,
    'AccessDenied',
    `${principal} is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::${bucket}" because no identity-based policy allows the s3:ListBucket action`,
  );

type Place = { readonly bucket: string; readonly key: string };
type Caller = {
  readonly request: { readonly principal: string };
  readonly mayList: (principal: string, bucket: string) => boolean;
};

export const missing = ({ request: { principal }, mayList }: Caller, { bucket, key }: Place): AwsError =>
  mayList(principal, bucket) ? noSuchKey(key) : listingDenied(principal, bucket);

export const noSuchBucket = (bucket: string): AwsError =>
  new AwsError(404, 'NoSuchBucket', 'The specified bucket does not exist', {
    details: { BucketName: bucket },
  });

export const noSuchUpload = (uploadId: string): AwsError =>
  new AwsError(
    404,
    'NoSuchUpload',
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
    { details: { UploadId: uploadId } },
  );

export const preconditionFailed = (condition: string): AwsError =>
  new AwsError(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
    details: { Condition: condition },
  });

export const malformedXml = (): AwsError =>
  new AwsError(400, 'MalformedXML', 'The XML you provided was not well-formed or did not validate.');

export const invalidArgument = (message: string): AwsError => new AwsError(400, 'InvalidArgument', message);

export const notImplemented = (): AwsError =>
  new AwsError(
    501,
    'NotImplemented',
    'A parameter you provided implies functionality that is not implemented',
  );
