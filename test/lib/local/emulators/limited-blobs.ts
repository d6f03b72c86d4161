/** Writes 64 KiB to a folder, although the system may allow less, and prints the outcome. */
import { blobStore } from '../../../../lib/local/emulators/s3/blobs.ts';

await blobStore(process.argv[2] ?? '')
  .write((write) => write(Buffer.alloc(64 * 1024)))
  .then(
    () => console.log('stored'),
    (error) => console.log(error.code),
  );
