export const VERIFY_LANGUAGES = ['node', 'python'] as const;
export type VerifyLanguage = (typeof VERIFY_LANGUAGES)[number];

const NODE = [
  "import { createServer } from 'node:http';",
  "import { text } from 'node:stream/consumers';",
  "import OpenAI from 'openai';",
  '',
  'const client = new OpenAI({',
  `  baseURL: \`\${process.env.BASE_URL}/v1\`,`,
  '  apiKey: process.env.API_KEY,',
  '  webhookSecret: process.env.WEBHOOK_SECRET,',
  '});',
  '',
  'createServer(async (request, response) => {',
  '  try {',
  '    const event = await client.webhooks.unwrap(await text(request), request.headers);',
  '    console.log(event.type, event.data.id);',
  '    response.writeHead(204).end();',
  '  } catch {',
  '    response.writeHead(400).end();',
  '  }',
  '}).listen(3000);',
].join('\n');

const PYTHON = [
  'import os',
  'from http.server import BaseHTTPRequestHandler, HTTPServer',
  'from openai import InvalidWebhookSignatureError, OpenAI',
  '',
  'client = OpenAI(',
  '    base_url=os.environ["BASE_URL"] + "/v1",',
  '    api_key=os.environ["API_KEY"],',
  '    webhook_secret=os.environ["WEBHOOK_SECRET"],',
  ')',
  '',
  'class Receiver(BaseHTTPRequestHandler):',
  '    def do_POST(self):',
  '        body = self.rfile.read(int(self.headers["content-length"]))',
  '        try:',
  '            event = client.webhooks.unwrap(body, dict(self.headers))',
  '            print(event.type, event.data.id)',
  '            self.send_response(204)',
  '        except (InvalidWebhookSignatureError, ValueError):',
  '            self.send_response(400)',
  '        self.end_headers()',
  '',
  'HTTPServer(("", 3000), Receiver).serve_forever()',
].join('\n');

export const VERIFY_CODE = { node: NODE, python: PYTHON } as const satisfies Record<VerifyLanguage, string>;
