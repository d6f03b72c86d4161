import { readPicture } from './read-picture.ts';
import type { RenderJob } from './render-job.ts';
import type { Planes } from './zoom.ts';

export type Card = {
  readonly planes: Planes;
  readonly left: number;
  readonly top: number;
  readonly border: number;
};

const MARGIN = 0.07;
const GAP = 0.03;
const even = (value: number) => Math.max(2, Math.floor(value / 2) * 2);

/** Lays the cards along the canvas's longer side, in the upper part: the caption is below. */
const layout = ({ width, height }: { width: number; height: number }, count: number) => {
  const short = Math.min(width, height);
  const wide = width >= height;
  const room = (wide ? width : height * 0.62) - short * (2 * MARGIN + GAP * (count - 1));
  const across = wide ? height * 0.5 : width - 2 * MARGIN * short;
  const side = even(Math.min(room / count, across));
  const step = side + short * GAP;
  const start = (wide ? width - count * step + short * GAP : short * 0.16 * 2) / 2;
  return Array.from({ length: count }, (_, index) => ({
    side,
    left: even(wide ? start + index * step : (width - side) / 2),
    top: even(wide ? height * 0.15 : start + index * step),
  }));
};

export const cardsFor = async (job: RenderJob): Promise<Card[]> => {
  const places = layout(job, job.references.length);
  const border = even(Math.min(job.width, job.height) * 0.006);
  const cards: Card[] = [];
  for (const [index, { side, left, top }] of places.entries()) {
    const picture = job.references[index];
    if (picture !== undefined)
      cards.push({ planes: await readPicture(picture, side, side), left, top, border });
  }
  return cards;
};

const fillPlane = (canvas: Planes, divisor: number, offset: number, box: number[], value: number) => {
  const [left = 0, top = 0, width = 0, height = 0] = box.map((length) => length / divisor);
  for (let row = top; row < top + height; row += 1) {
    const start = offset + row * (canvas.width / divisor) + left;
    canvas.bytes.fill(value, start, start + width);
  }
};

const copyPlane = (canvas: Planes, card: Card, divisor: number, offset: number, from: number) => {
  const width = card.planes.width / divisor;
  for (let row = 0; row < card.planes.height / divisor; row += 1) {
    const start = from + row * width;
    const target = offset + (card.top / divisor + row) * (canvas.width / divisor) + card.left / divisor;
    canvas.bytes.set(card.planes.bytes.subarray(start, start + width), target);
  }
};

/** Copies the card over the canvas, with a white edge around it. */
export const placeCard = (canvas: Planes, card: Card) => {
  const { border, planes } = card;
  const area = canvas.width * canvas.height;
  const cardArea = planes.width * planes.height;
  const frame = [
    card.left - border,
    card.top - border,
    planes.width + 2 * border,
    planes.height + 2 * border,
  ];
  for (const [index, divisor] of [1, 2, 2].entries()) {
    const offset = index === 0 ? 0 : area * (0.75 + 0.25 * index);
    fillPlane(canvas, divisor, offset, frame, index === 0 ? 235 : 128);
    copyPlane(canvas, card, divisor, offset, index === 0 ? 0 : cardArea * (0.75 + 0.25 * index));
  }
};
