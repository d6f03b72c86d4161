import { findRegisteredFile, registeredFiles } from '../files/adapters/registered-files.ts';
import { s3Files } from '../files/adapters/s3-file-reader.ts';
import { dynamoClient } from '../platform/aws/aws-clients.ts';
import type { BodyFields } from '../platform/body/fields.ts';
import { fileFieldIn } from '../platform/body/file-reference.ts';
import type { Caller } from '../platform/domain/api-key.ts';
import { s3Client } from '../videos/adapters/s3-media.ts';
import type { GivenImageRequest, ImageRequest } from './domain/image-request.ts';
import { loadImages } from './usecases/load-images.ts';

type Environment = {
  readonly FILE_TABLE: string;
  readonly MEDIA_BUCKET: string;
  readonly UPSTREAM_REQUEST_MEGABYTES: number;
};

/** Reads the files that a request names into it. */
export const imageLoader = ({ FILE_TABLE, MEDIA_BUCKET, UPSTREAM_REQUEST_MEGABYTES }: Environment) => {
  const files = registeredFiles(
    findRegisteredFile(dynamoClient(), FILE_TABLE),
    s3Files(s3Client(), MEDIA_BUCKET),
  );
  return ({ account }: Caller, fields: BodyFields, request: GivenImageRequest): Promise<ImageRequest> => {
    const fieldOf = fileFieldIn(fields);
    const access = {
      files,
      now: Date.now,
      account,
      fieldOf,
      requestMegabytes: UPSTREAM_REQUEST_MEGABYTES,
    };
    return loadImages(access, request);
  };
};
