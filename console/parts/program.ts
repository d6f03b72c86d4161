import { areTooLarge } from '../api/uploads.ts';

export const LANGUAGES = ['curl', 'node', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** An image as a program names it; placeholders have no size. */
export type NamedImage = { readonly name: string; readonly size?: number; readonly type?: string };

export type ImageField = readonly [field: string, image: NamedImage];

/** A request to the API as a program in each language, and what the program does with the response. */
export type Program = {
  /** As in `/v1/videos`. */
  readonly path: string;
  /** As in `client.videos.create`. */
  readonly method: string;
  readonly fields: readonly (readonly [name: string, value: string | number])[];
  readonly images: readonly ImageField[];
  /** Fields that take several images. */
  readonly lists: readonly string[];
  /** For endpoints that accept only JSON. */
  readonly isJson?: boolean;
  /** The variable that takes the response, if any, options after the others, and the lines that follow. */
  readonly curl: {
    readonly name?: string;
    readonly options?: readonly string[];
    readonly lines: readonly string[];
  };
  /** The same; every program ends with an error code, and writes no file, unless the result is there. */
  readonly node: { readonly name: string; readonly lines: readonly string[] };
  readonly python: {
    readonly name: string;
    /** As in `client.videos.create_and_poll`. */
    readonly method: string;
    readonly modules: readonly string[];
    readonly lines: readonly string[];
  };
};

/** Whether the program uploads the images before the request, because they are too large for it. */
export const needsUpload = (images: readonly ImageField[]): boolean =>
  areTooLarge(images.map(([, { size = 0 }]) => ({ size })));

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A literal of both JavaScript and Python. */
const literal = (value: string | number): string => JSON.stringify(value);

const mimeType = ({ type }: NamedImage): string => type || 'image/png';

/** The parameters of the Python client; it sends others in `extra_body`, which takes no files. */
const PYTHON_PARAMETERS = ['model', 'prompt', 'seconds', 'size', 'n', 'input_reference', 'image'];

/** A function that uploads an image, and the call that replaces the image in the request. */
export const UPLOADS = {
  curl: {
    code: [
      'upload() {',
      `  WANTED=$(jq -n --arg filename "$1" --arg mime_type "$2" --argjson bytes "$(wc -c < "$1")" \\`,
      `    '{$filename, $mime_type, $bytes, purpose: "vision"}')`,
      '  FILE=$(curl -sS --fail-with-body "$BASE_URL/v1/files" -H "Authorization: Bearer $API_KEY" \\',
      `    -H 'Content-Type: application/json' -d "$WANTED") || { echo "$FILE" >&2; return 1; }`,
      `  echo "$FILE" | jq -r '.upload.headers | to_entries[] | "\\(.key): \\(.value)"' |`,
      `    curl -sS --fail-with-body -X PUT -H @- --data-binary @"$1" "$(echo "$FILE" | jq -r .upload.url)"`,
      '  echo "$FILE" | jq -r .id',
      '}',
      '',
    ],
    call: (image: NamedImage) => `upload ${shellQuote(image.name)} ${mimeType(image)}`,
  },
  node: {
    code: [
      'const upload = async (filename, mimeType) => {',
      '  const bytes = readFileSync(filename);',
      "  const body = { filename, bytes: bytes.length, mime_type: mimeType, purpose: 'vision' };",
      "  const { id, upload } = await client.post('/files', { body });",
      "  const { ok, status } = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });",
      "  if (!ok) throw new Error('Upload failed with status ' + status);",
      '  return { file_id: id };',
      '};',
      '',
    ],
    call: (image: NamedImage) => `await upload(${literal(image.name)}, ${literal(mimeType(image))})`,
  },
  python: {
    code: [
      'def upload(filename, mime_type):',
      '    with open(filename, "rb") as file:',
      '        data = file.read()',
      '    body = {"filename": filename, "bytes": len(data), "mime_type": mime_type, "purpose": "vision"}',
      '    created = client.post("/files", cast_to=object, body=body)',
      '    target = created["upload"]',
      '    urllib.request.urlopen(',
      '        urllib.request.Request(target["url"], data, target["headers"], method=target["method"])',
      '    ).close()',
      '    return {"file_id": created["id"]}',
      '',
    ],
    call: (image: NamedImage) => `upload(${literal(image.name)}, ${literal(mimeType(image))})`,
  },
} as const satisfies Record<Language, { code: readonly string[]; call: (image: NamedImage) => string }>;

/** Indented like the lines around it. */
const json = (fields: Program['fields']): string =>
  JSON.stringify(Object.fromEntries(fields), null, 2).replaceAll('\n', '\n  ');

const curlImage = ({ lists }: Program, isUploaded: boolean, [field, image]: ImageField): string => {
  if (isUploaded) {
    const name = `${field}${lists.includes(field) ? '[]' : ''}[file_id]`;
    return `--form-string "${name}=$(${UPLOADS.curl.call(image)})"`;
  }
  // Unquoted, curl would read ; and , in a file name as options of the field.
  return `-F ${shellQuote(`${field}=@"${image.name.replaceAll(/["\\]/g, '\\$&')}"`)}`;
};

// `--form-string` sends a prompt that begins with @ or < as it is; -F would read a file.
const curl = (program: Program): string => {
  const { path, fields, images, isJson = false, curl: end } = program;
  const isUploaded = needsUpload(images);
  const body = isJson
    ? ["-H 'Content-Type: application/json'", `-d ${shellQuote(json(fields))}`]
    : [
        ...fields.map(([name, value]) => `--form-string ${shellQuote(`${name}=${value}`)}`),
        ...images.map((image) => curlImage(program, isUploaded, image)),
      ];
  const start = [`curl -sS "$BASE_URL/v1${path}"`, '-H "Authorization: Bearer $API_KEY"'];
  const command = [...start, ...body, ...(end.options ?? [])].join(' \\\n  ');
  const request = end.name === undefined ? command : `${end.name}=$(${command})`;
  return [...(isUploaded ? UPLOADS.curl.code : []), request, ...end.lines].join('\n');
};

type NamedCode = readonly (readonly [name: string, code: string])[];

/** Each image field with the code of its value. */
const imageValues = ({ images, lists }: Program, toCode: (image: NamedImage) => string): NamedCode =>
  Array.from(
    Map.groupBy(images, ([field]) => field),
    ([field, group]) => {
      const codes = group.map(([, image]) => toCode(image)).join(', ');
      return [field, lists.includes(field) ? `[${codes}]` : codes] as const;
    },
  );

const node = (program: Program): string => {
  const { method, fields, images, node: end } = program;
  const isUploaded = needsUpload(images);
  const reader = isUploaded ? ['readFileSync'] : images.length > 0 ? ['createReadStream'] : [];
  const toCode = isUploaded
    ? UPLOADS.node.call
    : ({ name }: NamedImage) => `createReadStream(${literal(name)})`;
  return [
    `import { ${[...reader, 'writeFileSync'].join(', ')} } from 'node:fs';`,
    "import OpenAI from 'openai';",
    '',
    `const client = new OpenAI({ baseURL: \`\${process.env.BASE_URL}/v1\`, apiKey: process.env.API_KEY });`,
    '',
    ...(isUploaded ? UPLOADS.node.code : []),
    `${end.name} = await client.${method}({`,
    ...fields.map(([name, value]) => `  ${name}: ${literal(value)},`),
    ...imageValues(program, toCode).map(([field, code]) => `  ${field}: ${code},`),
    '});',
    ...end.lines,
  ].join('\n');
};

/** The arguments of the call; `image` is required there, even if the images are in `extra_body`. */
const pythonArguments = (own: NamedCode, extra: NamedCode): readonly string[] => [
  ...own.map(([name, code]) => `    ${name}=${code},`),
  ...(extra.some(([name]) => name === 'image') ? ['    image=[],'] : []),
  ...(extra.length === 0
    ? []
    : ['    extra_body={', ...extra.map(([name, code]) => `        ${literal(name)}: ${code},`), '    },']),
];

const python = (program: Program): string => {
  const { fields, images, python: end } = program;
  const isUploaded = needsUpload(images) || images.some(([field]) => !PYTHON_PARAMETERS.includes(field));
  const toCode = isUploaded ? UPLOADS.python.call : ({ name }: NamedImage) => `open(${literal(name)}, "rb")`;
  const values = imageValues(program, toCode);
  const { own = [], extra = [] } = Object.groupBy(
    fields.map(([name, value]) => [name, literal(value)] as const),
    ([name]) => (PYTHON_PARAMETERS.includes(name) ? 'own' : 'extra'),
  );
  const [ownImages, extraImages] = isUploaded ? [[], values] : [values, []];
  return [
    `import ${[...end.modules, ...(isUploaded ? ['urllib.request'] : [])].join(', ')}`,
    'from openai import OpenAI',
    '',
    'client = OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"])',
    '',
    ...(isUploaded ? UPLOADS.python.code : []),
    `${end.name} = client.${end.method}(`,
    ...pythonArguments([...own, ...ownImages], [...extra, ...extraImages]),
    ')',
    ...end.lines,
  ].join('\n');
};

const WRITERS = { curl, node, python } as const satisfies Record<Language, (program: Program) => string>;

export const writeProgram = (language: Language, program: Program): string => WRITERS[language](program);
