import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import { promisify } from 'node:util';

/**
 * The conformance suite of the protocol, for all scenarios that need none of its fixture tools. It sends no key, so a
 * proxy adds one and passes everything else on unchanged.
 */

const SCENARIOS: Readonly<Record<string, readonly string[]>> = {
  '2026-07-28': [
    'tools-list',
    'http-header-validation',
    'dns-rebinding-protection',
    'server-sse-multiple-streams',
  ],
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
};

const target = new URL(`${process.env.BASE_URL}/mcp`);
const proxy = createServer((incoming, response) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${process.env.API_KEY}` };
  if (headers.host?.startsWith('localhost:') || headers.host?.startsWith('127.0.0.1:'))
    headers.host = target.host;
  const sent = request(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.writeHead(502).end());
  incoming.pipe(sent);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const { port } = Object(proxy.address());

const run = async (version: string, scenario: string): Promise<string> => {
  const parameters = [
    'server',
    '--url',
    `http://localhost:${port}/mcp`,
    '--spec-version',
    version,
    '--scenario',
    scenario,
  ];
  const { stdout, stderr } = await promisify(execFile)('node_modules/.bin/conformance', parameters).catch(
    (error: unknown) => Object(error),
  );
  return `${stdout}\n${stderr}`;
};

try {
  for (const [version, scenarios] of Object.entries(SCENARIOS))
    for (const scenario of scenarios) {
      const output = await run(version, scenario);
      assert.match(output, /Passed: (\d+)\/\1, 0 failed/, `${version} ${scenario}:\n${output}`);
      console.log(`${version} ${scenario}: ok`);
    }
  const stateless = await run('2026-07-28', 'server-stateless');
  // Four of its checks call fixture tools such as test_missing_capability.
  const errors = Array.from(stateless.matchAll(/^ +Error: (.*)$/gm), ([, error = '']) => error);
  assert.deepEqual(
    errors.filter((error) => !error.startsWith('Not testable')),
    [],
  );
  assert.match(stateless, /Passed: 21\/25/);
  console.log('2026-07-28 server-stateless: ok');
} finally {
  proxy.close();
}
