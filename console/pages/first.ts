/** The page that the console opens with: nothing else is waited for. */
export { VideoPlayground } from './video-playground.tsx';
