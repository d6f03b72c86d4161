/** All other pages as one file, fetched while the first one is looked at: each file is a request to the server. */
export { Docs } from './docs.tsx';
export { ImagePlayground } from './image-playground.tsx';
export { Keys } from './keys.tsx';
export { NotFound } from './not-found.tsx';
export { Settings } from './settings.tsx';
export { TaskDetail } from './task-detail.tsx';
export { Tasks } from './tasks.tsx';
export { Usage } from './usage.tsx';
