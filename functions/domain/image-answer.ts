/** What the upstream counted. */
export type TokenCounts = { readonly prompt: number; readonly output: number; readonly total: number };

export type ImageAnswer =
  | {
      readonly outcome: 'image';
      /** The image as the upstream sent it: it is passed on in Base64, so it is never decoded. */
      readonly image: { readonly mimeType: string; readonly base64: string };
      readonly text: string;
      readonly cutShort: boolean;
      readonly tokens: TokenCounts;
      /** The upstream's whole answer, for clients of its own format. */
      readonly document: Readonly<Record<string, unknown>>;
    }
  /** Blocked, or answered in words alone. */
  | { readonly outcome: 'no_image'; readonly reason: string };

export type GeneratedImage = Extract<ImageAnswer, { outcome: 'image' }>;
