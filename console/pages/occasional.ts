/** The pages that are opened now and then, fetched as one file when the first of them is. */
export { Docs } from './docs.tsx';
export { ImagePlayground } from './image-playground.tsx';
export { NotFound } from './not-found.tsx';
export { Settings } from './settings.tsx';
export { Usage } from './usage.tsx';
