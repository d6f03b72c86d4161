import { fileFields, rolesOf, textFields, type VideoFiles } from './video-fields.ts';
import type { VideoForm } from './video-form.ts';

export const LANGUAGES = ['curl', 'node', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

type Named = { readonly name: string };

/** Names to show where no image has been chosen yet. */
const PLACEHOLDERS: VideoFiles<Named> = {
  first: [{ name: 'first.png' }],
  last: [{ name: 'last.png' }],
  references: [{ name: 'reference.png' }],
};

const filesToName = (form: VideoForm, files: VideoFiles<Named>): readonly (readonly [string, string])[] => {
  const shown = { ...files };
  for (const role of rolesOf(form)) if (files[role].length === 0) shown[role] = PLACEHOLDERS[role];
  return fileFields(form, shown).map(([field, { name }]) => [field, name] as const);
};

/** Within single quotes a shell reads everything as it stands, but for the quote itself. */
const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

// `--form-string` takes a prompt that begins with @ or < as it is; -F would read a file.
const curl = (form: VideoForm, files: VideoFiles<Named>): string =>
  [
    'curl -sS "$BASE_URL/v1/videos" \\\n  -H "Authorization: Bearer $API_KEY"',
    ...textFields(form).map(([name, value]) => `--form-string ${shellQuote(`${name}=${value}`)}`),
    // A name with ; or , in it is read as options of the field unless it is quoted.
    ...filesToName(form, files).map(
      ([field, name]) => `-F ${shellQuote(`${field}=@"${name.replaceAll(/["\\]/g, '\\$&')}"`)}`,
    ),
  ].join(' \\\n  ');

const literal = (text: string): string => JSON.stringify(text);

const node = (form: VideoForm, files: VideoFiles<Named>): string => {
  const images = filesToName(form, files);
  const groups = Map.groupBy(images, ([field]) => field);
  const lines = [
    ...textFields(form).map(([name, value]) => `  ${name}: ${literal(value)},`),
    ...Array.from(groups, ([field, group]) => {
      const streams = group.map(([, name]) => `createReadStream(${literal(name)})`).join(', ');
      return `  ${field}: ${field === 'reference_images' ? `[${streams}]` : streams},`;
    }),
  ];
  return [
    `import { ${images.length === 0 ? '' : 'createReadStream, '}writeFileSync } from 'node:fs';`,
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: \`\${process.env.BASE_URL}/v1\`, apiKey: process.env.API_KEY });`,
    '',
    'let video = await client.videos.create({',
    ...lines,
    '});',
    "while (video.status === 'queued' || video.status === 'in_progress') {",
    '  await new Promise((resolve) => setTimeout(resolve, 3000));',
    '  video = await client.videos.retrieve(video.id);',
    '}',
    "if (video.status === 'failed') throw new Error(video.error?.message);",
    'const content = await client.videos.downloadContent(video.id);',
    "writeFileSync('video.mp4', Buffer.from(await content.arrayBuffer()));",
  ].join('\n');
};

// `requests` sends a form only where there are files; without any, JSON takes the same names.
const python = (form: VideoForm, files: VideoFiles<Named>): string => {
  const images = filesToName(form, files);
  const fields = textFields(form).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`);
  return [
    'import os, time, requests',
    '',
    'base = os.environ["BASE_URL"]',
    'key = {"Authorization": "Bearer " + os.environ["API_KEY"]}',
    '',
    `video = requests.post(f"{base}/v1/videos", headers=key, ${images.length === 0 ? 'json' : 'data'}={`,
    ...fields,
    images.length === 0 ? '}).json()' : '}, files=[',
    ...images.map(([field, name]) => `    (${literal(field)}, open(${literal(name)}, "rb")),`),
    ...(images.length === 0 ? [] : [']).json()']),
    'while video["status"] in ("queued", "in_progress"):',
    '    time.sleep(3)',
    '    video = requests.get(f"{base}/v1/videos/{video[\'id\']}", headers=key).json()',
    'with open("video.mp4", "wb") as file:',
    '    file.write(requests.get(f"{base}/v1/videos/{video[\'id\']}/content", headers=key).content)',
  ].join('\n');
};

const WRITERS = { curl, node, python } as const satisfies Record<
  Language,
  (form: VideoForm, files: VideoFiles<Named>) => string
>;

/** A program that makes what the form would make. */
export const videoCode = (language: Language, form: VideoForm, files: VideoFiles<Named>): string =>
  WRITERS[language](form, files);
