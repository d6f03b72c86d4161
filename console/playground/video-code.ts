import type { ImageField, NamedImage } from '../parts/languages.ts';
import type { Program } from '../parts/program.ts';
import { fileFields, LIST_FIELDS, rolesOf, textFields, type VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

/** Names to show where no image has been chosen yet. */
const PLACEHOLDERS: VideoFiles<NamedImage> = {
  first: [{ name: 'first.png' }],
  last: [{ name: 'last.png' }],
  references: [{ name: 'reference.png' }],
};

const imagesToName = (form: VideoForm, files: VideoFiles<NamedImage>): readonly ImageField[] => {
  const shown = { ...files };
  for (const role of rolesOf(form)) if (files[role].length === 0) shown[role] = PLACEHOLDERS[role];
  return fileFields(form, shown);
};

const NODE_LINES = [
  "while (video.status === 'queued' || video.status === 'in_progress') {",
  '  await new Promise((resolve) => setTimeout(resolve, 3000));',
  '  video = await client.videos.retrieve(video.id);',
  '}',
  "if (video.status === 'failed') throw new Error(video.error?.message);",
  'const content = await client.videos.downloadContent(video.id);',
  "writeFileSync('video.mp4', Buffer.from(await content.arrayBuffer()));",
];

const PYTHON_LINES = [
  'while video["status"] in ("queued", "in_progress"):',
  '    time.sleep(3)',
  '    video = requests.get(f"{base}/v1/videos/{video[\'id\']}", headers=key).json()',
  'with open("video.mp4", "wb") as file:',
  '    file.write(requests.get(f"{base}/v1/videos/{video[\'id\']}/content", headers=key).content)',
];

/** Makes what the form would make. */
export const videoProgram = (form: VideoForm, files: VideoFiles<NamedImage>): Program => ({
  path: '/videos',
  method: 'videos.create',
  fields: textFields(form),
  images: imagesToName(form, files),
  lists: LIST_FIELDS,
  node: { name: 'let video', lines: NODE_LINES },
  python: { name: 'video', modules: 'os, time', lines: PYTHON_LINES },
});
