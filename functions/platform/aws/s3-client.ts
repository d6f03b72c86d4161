import { S3Client } from '@aws-sdk/client-s3';
import { impatientClient, TRANSFER_OPTIONS } from './aws-clients.ts';

/** In a file of its own, so that a function that needs it rarely can load it late. */
export const s3Client = (): S3Client => impatientClient(new S3Client(TRANSFER_OPTIONS));
