import {
  areStored,
  type ImageField,
  type Language,
  literal,
  type NamedImage,
  shellQuote,
} from './languages.ts';
import { UPLOADS } from './uploads.ts';

/** A request of the API as a program would make it, and what the program does with the answer. */
export type Program = {
  /** As in `/v1/videos`. */
  readonly path: string;
  /** As in `client.videos.create`. */
  readonly method: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly images: readonly ImageField[];
  /** Fields that take several images. */
  readonly lists: readonly string[];
  /** Where the API takes JSON alone. */
  readonly isJson?: boolean;
  /** What becomes of curl's answer; without it, it is printed. */
  readonly curlEnd?: readonly string[];
  /** From the answer in `name` on. */
  readonly node: { readonly name: string; readonly lines: readonly string[] };
  readonly python: { readonly name: string; readonly modules: string; readonly lines: readonly string[] };
};

/** Indented like the lines around it. */
const json = (fields: Program['fields']): string =>
  JSON.stringify(Object.fromEntries(fields), null, 2).replaceAll('\n', '\n  ');

const curlImage = ({ lists }: Program, isStored: boolean, [field, image]: ImageField): string => {
  if (isStored) {
    const name = `${field}${lists.includes(field) ? '[]' : ''}[file_id]`;
    return `--form-string "${name}=$(${UPLOADS.curl.call(image)})"`;
  }
  // A name with ; or , in it is read as options of the field unless it is quoted.
  return `-F ${shellQuote(`${field}=@"${image.name.replaceAll(/["\\]/g, '\\$&')}"`)}`;
};

// `--form-string` takes a prompt that begins with @ or < as it is; -F would read a file.
const curl = (program: Program): string => {
  const { path, fields, images, isJson = false, curlEnd = [] } = program;
  const isStored = areStored(images);
  const body = isJson
    ? ["-H 'Content-Type: application/json'", `-d ${shellQuote(json(fields))}`]
    : [
        ...fields.map(([name, value]) => `--form-string ${shellQuote(`${name}=${value}`)}`),
        ...images.map((image) => curlImage(program, isStored, image)),
      ];
  const start = [`curl -sS "$BASE_URL/v1${path}"`, '-H "Authorization: Bearer $API_KEY"'];
  const lines = [...start, ...body, ...curlEnd];
  return [...(isStored ? UPLOADS.curl.code : []), lines.join(' \\\n  ')].join('\n');
};

/** Each field that takes images, with the code for them. */
const imageValues = (
  { images, lists }: Program,
  codeOf: (image: NamedImage) => string,
): readonly (readonly [field: string, code: string])[] =>
  Array.from(
    Map.groupBy(images, ([field]) => field),
    ([field, group]) => {
      const codes = group.map(([, image]) => codeOf(image)).join(', ');
      return [field, lists.includes(field) ? `[${codes}]` : codes] as const;
    },
  );

const node = (program: Program): string => {
  const { method, fields, images, node: end } = program;
  const isStored = areStored(images);
  const reader = isStored ? ['readFileSync'] : images.length > 0 ? ['createReadStream'] : [];
  const codeOf = isStored
    ? UPLOADS.node.call
    : ({ name }: NamedImage) => `createReadStream(${literal(name)})`;
  return [
    `import { ${[...reader, 'writeFileSync'].join(', ')} } from 'node:fs';`,
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: \`\${process.env.BASE_URL}/v1\`, apiKey: process.env.API_KEY });`,
    '',
    ...(isStored ? UPLOADS.node.code : []),
    `${end.name} = await client.${method}({`,
    ...fields.map(([name, value]) => `  ${name}: ${literal(value)},`),
    ...imageValues(program, codeOf).map(([field, code]) => `  ${field}: ${code},`),
    '});',
    ...end.lines,
  ].join('\n');
};

// `requests` sends a form only where there are files; without any, JSON takes the same names.
const python = (program: Program): string => {
  const { path, fields, images, python: end } = program;
  const isStored = areStored(images);
  const isForm = images.length > 0 && !isStored;
  const stored = isStored ? imageValues(program, UPLOADS.python.call) : [];
  return [
    `import ${end.modules}, requests`,
    '',
    'base = os.environ["BASE_URL"]',
    'key = {"Authorization": "Bearer " + os.environ["API_KEY"]}',
    '',
    ...(isStored ? UPLOADS.python.code : []),
    `${end.name} = requests.post(f"{base}/v1${path}", headers=key, ${isForm ? 'data' : 'json'}={`,
    ...fields.map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
    ...stored.map(([field, code]) => `    ${literal(field)}: ${code},`),
    isForm ? '}, files=[' : '}).json()',
    ...(isForm
      ? images.map(([field, { name }]) => `    (${literal(field)}, open(${literal(name)}, "rb")),`)
      : []),
    ...(isForm ? [']).json()'] : []),
    ...end.lines,
  ].join('\n');
};

const WRITERS = { curl, node, python } as const satisfies Record<Language, (program: Program) => string>;

export const write = (language: Language, program: Program): string => WRITERS[language](program);
