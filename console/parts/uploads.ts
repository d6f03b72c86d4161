import { type Language, literal, type NamedImage, shellQuote } from './languages.ts';

const typeOf = ({ type }: NamedImage): string => type || 'image/png';

/** How each language sends an image ahead, and what a request then says instead of it. */
export const UPLOADS = {
  curl: {
    code: [
      'upload() {',
      `  WANTED=$(jq -n --arg filename "$1" --arg mime_type "$2" --argjson bytes "$(wc -c < "$1")" \\`,
      `    '{$filename, $mime_type, $bytes, purpose: "vision"}')`,
      '  FILE=$(curl -sS --fail-with-body "$BASE_URL/v1/files" -H "Authorization: Bearer $API_KEY" \\',
      `    -H 'Content-Type: application/json' -d "$WANTED")`,
      `  echo "$FILE" | jq -r '.upload.headers | to_entries[] | "\\(.key): \\(.value)"' |`,
      `    curl -sS --fail-with-body -X PUT -H @- --data-binary @"$1" "$(echo "$FILE" | jq -r .upload.url)"`,
      '  echo "$FILE" | jq -r .id',
      '}',
      '',
    ],
    call: (image: NamedImage) => `upload ${shellQuote(image.name)} ${typeOf(image)}`,
  },
  node: {
    code: [
      'const upload = async (filename, mimeType) => {',
      '  const bytes = readFileSync(filename);',
      "  const body = { filename, bytes: bytes.length, mime_type: mimeType, purpose: 'vision' };",
      "  const { id, upload } = await client.post('/files', { body });",
      "  const { ok, status } = await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes });",
      "  if (!ok) throw new Error('the store answered ' + status);",
      '  return { file_id: id };',
      '};',
      '',
    ],
    call: (image: NamedImage) => `await upload(${literal(image.name)}, ${literal(typeOf(image))})`,
  },
  python: {
    code: [
      'def upload(filename, mime_type):',
      '    with open(filename, "rb") as file:',
      '        data = file.read()',
      '    offered = requests.post(f"{base}/v1/files", headers=key, json={',
      '        "filename": filename, "bytes": len(data), "mime_type": mime_type, "purpose": "vision",',
      '    }).json()',
      '    requests.put(offered["upload"]["url"], headers=offered["upload"]["headers"], data=data).raise_for_status()',
      '    return {"file_id": offered["id"]}',
      '',
    ],
    call: (image: NamedImage) => `upload(${literal(image.name)}, ${literal(typeOf(image))})`,
  },
} as const satisfies Record<Language, { code: readonly string[]; call: (image: NamedImage) => string }>;
