import { fetchImages } from '../../functions/catalogue/adapters/fetch-images.ts';

/** Loads images from servers on this machine. */
export const LOCAL_IMAGES = fetchImages({ allowLoopbackHttp: true, maxBytes: 14_700_000 });
