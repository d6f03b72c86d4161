/** All that the first page does not need to be drawn, as one file: each file is a request to the server. */
export { fileIdOf, forgetFiles } from '../api/files.ts';
export { checkFiles } from '../parts/check-file.ts';
export { VideoCodePanel } from '../playground/video-code-panel.tsx';
export { Docs } from './docs.tsx';
export { ImagePlayground } from './image-playground.tsx';
export { Keys } from './keys.tsx';
export { NotFound } from './not-found.tsx';
export { Settings } from './settings.tsx';
export { TaskDetail } from './task-detail.tsx';
export { Tasks } from './tasks.tsx';
export { Usage } from './usage.tsx';
export { WebhookDetail } from './webhook-detail.tsx';
export { Webhooks } from './webhooks.tsx';
