/** Labels for the axes of a chart. */

const MAX_STEPS = 4;
const FACTORS = [1, 2, 5, 10] as const;

/** From 0 to at least `most` in equal, round steps, as decimals such as `2.50`. */
export const axisTicks = (most: number): readonly string[] => {
  if (!(most > 0)) return ['0', '1'];
  const power = Math.floor(Math.log10(most / MAX_STEPS));
  const step = FACTORS.map((factor) => factor * 10 ** power).find(
    (size) => size * MAX_STEPS >= most * (1 - 1e-9),
  );
  const size = step ?? 10 ** (power + 1);
  const count = Math.ceil((most / size) * (1 - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => (index * size).toFixed(Math.max(0, -power)));
};

type Label<Item> = { readonly item: Item; readonly width: number };

/** Every so many items as a label, up to `count`, with the number of items until the next one. */
export const spread = <Item>(items: readonly Item[], count: number): readonly Label<Item>[] => {
  const step = Math.max(1, Math.ceil(items.length / count));
  return items
    .map((item, index) => ({ item, index, width: Math.min(step, items.length - index) }))
    .filter(({ index }) => index % step === 0);
};
