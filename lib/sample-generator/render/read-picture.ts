import { Decoder, Demuxer, FilterAPI } from 'node-av/api';
import type { Picture } from './render-job.ts';
import type { Planes } from './zoom.ts';

/** The bytes looked like a picture, but cannot be decoded as one. */
export class UnreadablePicture extends Error {}

const MAX_PIXELS = 8192 * 8192;

async function* firstFrame(picture: Picture, filters: string) {
  await using demuxer = await Demuxer.open(picture.path, { format: picture.format });
  const stream = demuxer.video();
  if (stream === undefined) throw new UnreadablePicture();
  using decoder = await Decoder.create(stream, {
    exitOnError: true,
    threadCount: 1,
    options: { max_pixels: MAX_PIXELS },
  });
  using filter = FilterAPI.create(filters);
  for await (using frame of filter.frames(decoder.frames(demuxer.packets(stream.index)))) {
    if (frame !== null) yield frame.toBuffer();
  }
}

const decode = async (picture: Picture, filters: string): Promise<Buffer> => {
  try {
    for await (const bytes of firstFrame(picture, filters)) return bytes;
  } catch (cause) {
    throw new UnreadablePicture(undefined, { cause });
  }
  throw new UnreadablePicture();
};

/** Fills the whole canvas, cutting off what hangs over. */
const fillingFilters = (width: number, height: number) =>
  `scale=${width}:${height}:force_original_aspect_ratio=increase:flags=lanczos+accurate_rnd+full_chroma_int` +
  `:out_color_matrix=bt709:out_range=tv,crop=${width}:${height},setsar=1,format=yuv420p`;

export const readPicture = async (picture: Picture, width: number, height: number): Promise<Planes> => ({
  width,
  height,
  // Copied, because memory of the decoder's is not always aligned.
  bytes: Uint8Array.from(await decode(picture, fillingFilters(width, height))),
});
