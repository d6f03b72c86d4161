import { CodePanel } from '../parts/code-panel.tsx';
import type { NamedImage } from '../parts/program.ts';
import { videoProgram } from './video-code.ts';
import type { VideoFiles, VideoForm } from './video-form.ts';

export type VideoCodeProps = { readonly form: VideoForm; readonly files: VideoFiles<NamedImage> };

export const VideoCodePanel = ({ form, files }: VideoCodeProps) => (
  <CodePanel program={videoProgram(form, files)} />
);
