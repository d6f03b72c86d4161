/** Writes 64 KiB into a folder, where the system may allow less; prints how that ends. */
import { blobStore } from '../../../../lib/local/emulators/s3/blobs.ts';

await blobStore(process.argv[2] ?? '')
  .write((write) => write(Buffer.alloc(64 * 1024)))
  .then(
    () => console.log('stored'),
    (error) => console.log(error.code),
  );
