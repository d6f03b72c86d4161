import * as media from '../../../functions/videos/adapters/s3-media.ts';

export * from '../../../functions/videos/adapters/s3-media.ts';

async function* inOnePiece(video: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of video) chunks.push(chunk);
  yield Buffer.concat(chunks);
}

/** Replaces the store of the worker: has the whole file in memory, as `response.arrayBuffer()` would. */
export const s3Media: typeof media.s3Media = (...given) => {
  const store = media.s3Media(...given);
  return { ...store, putVideo: (key, video) => store.putVideo(key, inOnePiece(video)) };
};
