import { Encoder, FilterAPI } from 'node-av/api';
import { AV_PIX_FMT_RGB24, FF_ENCODER_LIBWEBP, FF_ENCODER_MJPEG, FF_ENCODER_PNG } from 'node-av/constants';
import { Frame } from 'node-av/lib';

type Paint = (x: number, y: number) => readonly [number, number, number];

/** Two clearly different pictures, smooth enough to survive compression. */
export const SUNRISE: Paint = (x, y) => [230, 120 + 90 * y, 40 + 60 * x];
export const RIPPLES: Paint = (x, y) => [30, 90 + 60 * Math.sin(9 * x + 3 * y), 170 + 60 * Math.cos(7 * y)];

const toFrame = (paint: Paint, width: number, height: number) => {
  const bytes = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += 3)
      [bytes[at], bytes[at + 1], bytes[at + 2]] = paint(x / width, y / height);
  }
  return Frame.fromVideoBuffer(bytes, {
    width,
    height,
    format: AV_PIX_FMT_RGB24,
    timeBase: { num: 1, den: 1 },
    pts: 0n,
  });
};

const converted = async (paint: Paint, width: number, height: number, filters: string) => {
  using frame = toFrame(paint, width, height);
  using filter = FilterAPI.create(filters);
  const [result] = await filter.processAll(frame);
  if (result === undefined) throw new Error('no frame');
  return result;
};

export const png = async (paint: Paint, width: number, height: number) => {
  using frame = toFrame(paint, width, height);
  return await Encoder.encodeOne(FF_ENCODER_PNG, frame);
};

export const jpeg = async (paint: Paint, width: number, height: number) => {
  using frame = await converted(
    paint,
    width,
    height,
    'scale=out_color_matrix=bt601:out_range=pc,format=yuvj444p',
  );
  return await Encoder.encodeOne(FF_ENCODER_MJPEG, frame, { context: { qMin: 2, qMax: 2 } });
};

export const webp = async (paint: Paint, width: number, height: number) => {
  using frame = await converted(paint, width, height, 'format=bgra');
  return await Encoder.encodeOne(FF_ENCODER_LIBWEBP, frame, {
    options: { lossless: 1, compression_level: 0 },
  });
};
