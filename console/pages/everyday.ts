/** The pages that are opened most, fetched as one file: each file that the page needs is a request to the server. */
export { Keys } from './keys.tsx';
export { TaskDetail } from './task-detail.tsx';
export { Tasks } from './tasks.tsx';
export { VideoPlayground } from './video-playground.tsx';
