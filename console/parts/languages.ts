import { areTooLarge } from '../api/uploads.ts';

export const LANGUAGES = ['curl', 'node', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a program names of an image; placeholders have no size. */
export type NamedImage = { readonly name: string; readonly size?: number; readonly type?: string };

/** One image and the field that it goes into. */
export type ImageField = readonly [field: string, image: NamedImage];

/** Whether the images are too large for a request, so that they are stored first. */
export const areStored = (images: readonly ImageField[]): boolean =>
  areTooLarge(images.map(([, { size = 0 }]) => ({ size })));

/** Within single quotes a shell reads everything as it stands, but for the quote itself. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** For JavaScript and Python alike. */
export const literal = (text: string): string => JSON.stringify(text);
