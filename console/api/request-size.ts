/** What a request can carry through the gateway and the function, with some room for its text. */
const MAX_REQUEST_BYTES = 4_300_000;

export const areTooLarge = (images: readonly { readonly size: number }[]): boolean =>
  images.reduce((sum, { size }) => sum + size, 0) > MAX_REQUEST_BYTES;
