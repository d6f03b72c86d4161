export type Colour = readonly [red: number, green: number, blue: number];
type Palette = { readonly ground: Colour; readonly lights: readonly Colour[] };

// Deep grounds under softer lights: white text stays readable on every one of them.
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

const colour = (hex: string): Colour => {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
};

export const paletteFor = (random: () => number): Palette => {
  const [ground, ...lights] = PALETTES[Math.floor(random() * PALETTES.length)] ?? PALETTES[0];
  return { ground: colour(ground), lights: lights.map(colour) };
};
