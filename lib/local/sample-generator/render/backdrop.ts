import { type Colour, paletteFor } from './palette.ts';
import { randomStream } from './random.ts';

type Light = {
  colour: Colour;
  x: number;
  y: number;
  sway: number;
  speed: number;
  phase: number;
  reach: number;
};

const LIGHT_COUNT = 6;
const LONG_SIDE = 192;
const even = (value: number) => Math.max(2, Math.round(value / 2) * 2);

const lightsFor = (colours: readonly Colour[], random: () => number): Light[] =>
  Array.from({ length: LIGHT_COUNT }, (_, index) => ({
    colour: colours[index % colours.length] ?? [0, 0, 0],
    x: 0.1 + 0.8 * random(),
    y: 0.1 + 0.8 * random(),
    sway: 0.12 + 0.2 * random(),
    speed: 0.25 + 0.4 * random(),
    phase: 2 * Math.PI * random(),
    reach: 0.24 + 0.24 * random(),
  }));

/** BT.709, limited range, ten bits: the scaler dithers ten bits to eight, so that slopes show no bands. */
const writePixel = (planes: Uint16Array, area: number, at: number, [red, green, blue]: Colour) => {
  const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  planes[at] = 64 + 876 * luma;
  planes[area + at] = 512 + (896 * (blue - luma)) / 1.8556;
  planes[2 * area + at] = 512 + (896 * (red - luma)) / 1.5748;
};

/** Soft lights that drift over a dark ground, painted small: they have no edges that scaling could blur. */
export const backdrop = (canvas: { width: number; height: number; seed: number }) => {
  const random = randomStream(canvas.seed);
  const { ground, lights: colours } = paletteFor(random);
  const lights = lightsFor(colours, random);
  const shrink = LONG_SIDE / Math.max(canvas.width, canvas.height);
  const width = even(canvas.width * shrink);
  const height = even(canvas.height * shrink);
  const long = Math.max(width, height);
  const planes = new Uint16Array(width * height * 3);

  const mix = (x: number, y: number, seconds: number): Colour => {
    let [red, green, blue] = ground;
    for (const light of lights) {
      const angle = light.phase + light.speed * seconds;
      const dx = (x - light.x * width) / long - light.sway * Math.cos(angle);
      const dy = (y - light.y * height) / long - light.sway * Math.sin(angle * 0.8) * 0.6;
      const weight = 0.72 * Math.exp(-(dx * dx + dy * dy) / (light.reach * light.reach));
      red += (light.colour[0] - red) * weight;
      green += (light.colour[1] - green) * weight;
      blue += (light.colour[2] - blue) * weight;
    }
    // The lower part, under the caption, is darker.
    const shade = 1 - 0.45 * (y / height) ** 2;
    return [red * shade, green * shade, blue * shade];
  };

  const paint = (seconds: number): Buffer => {
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1)
        writePixel(planes, width * height, y * width + x, mix(x, y, seconds));
    }
    return Buffer.from(planes.buffer);
  };
  return { width, height, paint };
};
