import type { ImageField, NamedImage, Program } from '../parts/program.ts';
import {
  fileFields,
  imageRoles,
  LIST_FIELDS,
  textFields,
  type VideoFiles,
  type VideoForm,
} from './video-form.ts';

/** File names to show until images are chosen. */
const PLACEHOLDERS: VideoFiles<NamedImage> = {
  first: [{ name: 'first.png' }],
  last: [{ name: 'last.png' }],
  references: [{ name: 'reference.png' }],
};

const namedImages = (form: VideoForm, files: VideoFiles<NamedImage>): readonly ImageField[] => {
  const shown = { ...files };
  for (const role of imageRoles(form)) if (files[role].length === 0) shown[role] = PLACEHOLDERS[role];
  return fileFields(form, shown);
};

const CURL_LINES = [
  `TASK=$(printf '%s' "$VIDEO" | grep -o 'task_[a-z0-9]*' | head -n 1)`,
  `while printf '%s' "$VIDEO" | grep -qE '"status":"(queued|in_progress)"'; do`,
  '  sleep 3',
  '  VIDEO=$(curl -sS "$BASE_URL/v1/videos/$TASK" -H "Authorization: Bearer $API_KEY")',
  'done',
  `if printf '%s' "$VIDEO" | grep -q '"status":"completed"'; then`,
  '  curl -sS -L --fail "$BASE_URL/v1/videos/$TASK/content" -H "Authorization: Bearer $API_KEY" -o video.mp4',
  'else',
  `  printf '%s\\n' "$VIDEO" >&2`,
  '  false',
  'fi',
];

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
  'if video.status != "completed":',
  '    raise SystemExit(video.error.message)',
  'client.videos.download_content(video.id).write_to_file("video.mp4")',
];

export const videoProgram = (form: VideoForm, files: VideoFiles<NamedImage>): Program => ({
  path: '/videos',
  method: 'videos.create',
  fields: textFields(form),
  images: namedImages(form, files),
  lists: LIST_FIELDS,
  curl: { name: 'VIDEO', lines: CURL_LINES },
  node: { name: 'let video', lines: NODE_LINES },
  python: { name: 'video', method: 'videos.create_and_poll', modules: ['os'], lines: PYTHON_LINES },
});
