import { AwsError } from '../aws-http/aws-error.ts';

/** Bucket and key of a path as it was sent; both can be empty. */
export const readTarget = (path: string): { bucket: string; key: string } => {
  const at = path.indexOf('/', 1);
  try {
    const bucket = decodeURIComponent(at < 0 ? path.slice(1) : path.slice(1, at));
    return { bucket, key: at < 0 ? '' : decodeURIComponent(path.slice(at + 1)) };
  } catch {
    throw new AwsError(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
};
