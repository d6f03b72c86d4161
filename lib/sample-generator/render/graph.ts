import { type Picture, type RenderJob, randomStream, textSeed, type VideoJob } from './render-job.ts';

/** Scenes and sounds as graphs of FFmpeg's filters, which need no input but files of the working directory. */

/** A picture that fills a rectangle, in a file of raw frames that the graph reads. */
export type PlacedPicture = {
  readonly picture: Picture;
  readonly file: string;
  readonly width: number;
  readonly height: number;
};

export type Scene = { readonly pictures: readonly PlacedPicture[]; readonly graph: string };

// Dark grounds, so that white text is readable on each; the other colours are those of the lights.
const PALETTES = [
  ['#0b1026', '#1f4e79', '#2a9d8f', '#5e4b8b', '#f2a65a'],
  ['#160f29', '#5c2751', '#a23e48', '#f29559', '#3c4f76'],
  ['#07221f', '#14594e', '#3f8f6b', '#c9b458', '#1d5c7a'],
  ['#101935', '#564787', '#9a79b8', '#dbcbd8', '#2b4c9b'],
  ['#1a1423', '#3d314a', '#684756', '#c57b57', '#96705b'],
  ['#04151f', '#183a37', '#2f6f7e', '#efd6ac', '#c44900'],
  ['#13111c', '#2b3a67', '#496a81', '#66999b', '#b3af8f'],
  ['#1b0b1f', '#4a1942', '#893168', '#e07a9b', '#374a8c'],
] as const;

const LIGHT_COUNT = 7;
const LONG_SIDE = 32;
const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);

/** One channel of a colour in twelve bits. */
const channelValue = (colour: string, channel: number) =>
  16 * Number.parseInt(colour.slice(1 + 2 * channel, 3 + 2 * channel), 16);

/** How strongly a light shines at a point, by an expression of FFmpeg: a bell shape around a moving centre. */
const glow = (random: () => number): string => {
  const [x, y] = [0.1 + 0.8 * random(), 0.1 + 0.8 * random()];
  const sway = 0.12 + 0.2 * random();
  const angle = `(${0.3 + 0.4 * random()}*T+${2 * Math.PI * random()})`;
  const reach = LONG_SIDE * (0.12 + 0.2 * random());
  const across = `X-W*(${x}+${sway}*cos(${angle}))`;
  const down = `Y-H*(${y}+${0.6 * sway}*sin(0.8*${angle}))`;
  return `0.85*exp(-pow(hypot(${across},${down})/${reach},2))`;
};

/** Soft lights drifting over a dark ground, painted small because scaling cannot blur what has no edges. */
const backdrop = ({ width, height, seed, prompt }: RenderJob, timing: string): string => {
  // The picture depends on both the seed and the prompt.
  const random = randomStream(textSeed(`${seed} ${prompt}`));
  const [ground, ...colours] = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0];
  const lights = Array.from({ length: LIGHT_COUNT }, (_, index) => ({
    colour: colours[index % colours.length] ?? ground,
    strength: glow(random),
  }));
  const channels = ['r', 'g', 'b'].map((name, channel) => {
    const light = lights.reduce(
      (under, { colour, strength }) => `lerp(${under},${channelValue(colour, channel)},${strength})`,
      `${channelValue(ground, channel)}`,
    );
    // Darker at the bottom, behind the caption.
    return `${name}='(1-0.5*pow(Y/H,2))*${light}'`;
  });
  const shrink = LONG_SIDE / Math.max(width, height);
  return [
    `color=s=${even(width * shrink)}x${even(height * shrink)}:${timing}`,
    // Twelve bits, which the scaler dithers to eight: that avoids banding.
    `format=gbrp12,geq=${channels.join(':')}`,
    `scale=${width}:${height}:flags=bicubic:out_color_matrix=bt709:out_range=tv,format=yuv420p`,
  ].join(',');
};

const COLOURS = 'setparams=colorspace=bt709:range=tv';

const readFrames = ({ file, width, height }: PlacedPicture, framesPerSecond = 1): string =>
  `movie=${file}:f=rawvideo:format_opts='video_size=${width}x${height}\\:framerate=${framesPerSecond}',${COLOURS}`;

const MARGIN = 0.07;
const GAP = 0.04;
// Between the badge and the caption.
const TOP = 0.15;
const BOTTOM = 0.68;

/** Rows of the largest squares that fit. */
const layout = ({ width, height, references: { length: count } }: RenderJob) => {
  const short = Math.min(width, height);
  const gap = short * GAP;
  const room = { width: width - 2 * MARGIN * short, height: height * BOTTOM - TOP * short };
  const sideWith = (columns: number) =>
    Math.min((room.width + gap) / columns - gap, (room.height + gap) / Math.ceil(count / columns) - gap);
  const choices = Array.from({ length: count }, (_, index) => index + 1);
  const columns = choices.reduce((best, next) => (sideWith(next) > sideWith(best) ? next : best), 1);
  const side = even(sideWith(columns) - 1);
  const step = side + gap;
  const left = (width - columns * step + gap) / 2;
  const top = TOP * short + (room.height - Math.ceil(count / columns) * step + gap) / 2;
  const place = (index: number) => ({
    left: even(left + (index % columns) * step),
    top: even(top + Math.floor(index / columns) * step),
  });
  return { side, border: even(short * 0.006), place };
};

/** The references are cards with a white border on the backdrop. */
const cardScene = (job: RenderJob, timing: string): Scene => {
  const { side, border, place } = layout(job);
  const pictures = job.references.map((picture, index) => ({
    picture,
    file: `card${index}`,
    width: side,
    height: side,
  }));
  const graph = pictures.reduce(
    (under, card, index) => {
      const { left, top } = place(index);
      const framed = `${readFrames(card)},pad=iw+${2 * border}:ih+${2 * border}:${border}:${border}:white`;
      return `${under}[under${index}];${framed}[card${index}];[under${index}][card${index}]overlay=${left - border}:${top - border}`;
    },
    backdrop(job, timing),
  );
  return { pictures, graph };
};

export const stillScene = (job: RenderJob): Scene => cardScene(job, 'r=1:d=1');

/** Enlarges the centre in subpixel steps, because whole-pixel steps make a slow zoom tremble. */
const zoom = (share: string): string => {
  const [near, far] = [`0.04*${share}`, `(1-0.04*${share})`];
  const corners = [
    [near, near],
    [far, near],
    [near, far],
    [far, far],
  ] as const;
  const sides = corners.map(([x, y], index) => `x${index}=W*${x}:y${index}=H*${y}`);
  return `perspective=${sides.join(':')}:eval=frame`;
};

/** A zoom takes long, so that only every second frame is new. */
const ZOOM_FRAMES_PER_SECOND = 12;

export const movingScene = (job: VideoJob): Scene => {
  const { width, height, seconds, framesPerSecond, first, last } = job;
  if (first === undefined) return cardScene(job, `r=${framesPerSecond}:d=${seconds}`);
  const frame = (picture: Picture, file: string): PlacedPicture => ({ picture, file, width, height });
  const hold = (placed: PlacedPicture, rate: number) =>
    `${readFrames(placed, rate)},loop=-1:1,trim=end_frame=${seconds * rate}`;
  const start = frame(first, 'first');
  if (last === undefined) {
    const rate = Math.min(framesPerSecond, ZOOM_FRAMES_PER_SECOND);
    const graph = `${hold(start, rate)},${zoom(`in/${seconds * rate}`)},fps=${framesPerSecond}`;
    return { pictures: [start], graph };
  }
  const end = frame(last, 'last');
  const [from, to] = [hold(start, framesPerSecond), hold(end, framesPerSecond)];
  const fade = `xfade=duration=${seconds - 1 / framesPerSecond}:offset=0`;
  return { pictures: [start, end], graph: `${from}[first];${to}[last];[first][last]${fade}` };
};

const SCALE = [0, 2, 4, 7, 9] as const;
const AUDIO_FRAME = 1024;

/** A quiet chord of five swelling voices, each with its place between left and right. */
const chord = ({ seconds, seed }: VideoJob): string => {
  const random = randomStream(seed ^ 0x5eed);
  const root = 110 * 2 ** (Math.floor(random() * 8) / 12);
  const voices = Array.from({ length: 5 }, (_, index) => {
    const frequency = root * 2 ** ((SCALE[Math.floor(random() * SCALE.length)] ?? 0) / 12 + (index % 3));
    const swell = `(0.6+0.4*sin(2*PI*(${0.1 + 0.25 * random()}*t+${random()})))`;
    return { sound: `${swell}*sin(2*PI*${frequency}*t)`, side: 0.25 + 0.5 * random() };
  });
  const mix = (share: (side: number) => number) =>
    `0.045*min(1,min(t,${seconds}-t)/0.8)*(${voices.map(({ sound, side }) => `${share(side)}*${sound}`).join('+')})`;
  return `'${mix((side) => 1 - side)}|${mix((side) => side)}'`;
};

export const soundGraph = (job: VideoJob, { sampleRate, silent }: NonNullable<VideoJob['sound']>): string => {
  // Only whole encoder frames, minus one for its delay, so that the sound never outlasts the picture.
  const samples = (Math.floor((job.seconds * sampleRate) / AUDIO_FRAME) - 1) * AUDIO_FRAME;
  const expressions = silent ? '0|0' : chord(job);
  return `aevalsrc=${expressions}:s=${sampleRate},atrim=end_sample=${samples}`;
};
