import { CodePanel } from '../parts/code-panel.tsx';
import type { NamedImage } from '../parts/languages.ts';
import { videoProgram } from './video-code.ts';
import type { VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

type Props = { readonly form: VideoForm; readonly files: VideoFiles<NamedImage> };

export const VideoCodePanel = ({ form, files }: Props) => <CodePanel program={videoProgram(form, files)} />;
