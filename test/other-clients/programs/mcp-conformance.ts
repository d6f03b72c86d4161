import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * All server scenarios of the protocol's conformance suite. It sends no key, so a proxy adds one and passes everything
 * else on unchanged. A failure must be listed here with its reason, and a listed scenario must fail.
 */

const RUNS = {
  '2026-07-28': ['--requirements', '2026-07-28'],
  '2025-11-25': ['--requirements', '2025-11-25'],
  '2025-06-18': ['--suite', 'all', '--spec-version', '2025-06-18'],
};

/** Names that begin alike. */
const named = (start: string, ends: string): readonly string[] =>
  ends.split(' ').map((end) => `${start}-${end}`);

/** Scenarios, or single checks of scenarios whose other checks pass, that this server cannot pass. */
const EXPECTED_FAILURES = {
  'It calls a tool that only servers made for the suite have.': [
    ...named('tools-call', 'simple-text image audio embedded-resource mixed-content error with-progress'),
    ...named('tools-call', 'sampling elicitation'),
    ...named('elicitation', 'sep1034-defaults sep1330-enums'),
    'json-schema-2020-12',
    ...named('server-stateless:sep-2575', 'server-rejects-undeclared-capability missing-capability-http-400'),
    'server-stateless:sep-2575-http-server-no-independent-requests-on-stream',
    'server-stateless:sep-2575-server-no-log-without-loglevel',
    ...named('input-required-result-basic', 'elicitation sampling list-roots'),
    ...named('input-required-result', 'request-state multiple-input-requests multi-round result-type'),
    ...named('input-required-result', 'tampered-state capability-check'),
    ...named('tasks', 'lifecycle wire-fields request-state-removal mrtr-input mrtr-composition'),
    ...named('tasks', 'required-task-error capability-negotiation:sep-2663-server-rejects-undeclared-client'),
    'tasks-capability-negotiation:tasks-per-request-meta-opt-in',
    'tasks-request-headers:tasks-headers-tolerate-mcp-method-on-tools-call',
    'tasks-request-headers:sep-2663-routing-headers-accepted-on-tasks-get',
    'tasks-request-headers:sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get',
    ...named(
      'tasks-dispatch-and-envelope:tasks',
      'server-directed-creation-no-hint immediate-result-shortcut',
    ),
    'tasks-dispatch-and-envelope:tasks-result-type-complete-on-non-task-responses',
    ...named(
      'tasks-dispatch-and-envelope:sep-2663',
      'legacy-task-param-ignored durable-create-strong-consistency',
    ),
  ],
  'The server has tools only, and says so: no prompts, resources, completions or log levels.': [
    'completion-complete',
    'logging-set-level',
    'tools-call-with-logging',
    ...named('prompts', 'list get-simple get-with-args get-embedded-resource get-with-image'),
    ...named('resources', 'list read-text read-binary templates-read subscribe unsubscribe'),
    'input-required-result-non-tool-request',
    ...named('caching:sep-2549', 'prompts-list-caching-hints resources-list-caching-hints'),
    'caching:sep-2549-resources-templates-list-caching-hints',
  ],
  'No argument of a tool is repeated in a header.': ['http-custom-header-server-validation'],
};
const EXPECTED: readonly string[] = Object.values(EXPECTED_FAILURES).flat();

const target = new URL(`${process.env.BASE_URL}/mcp`);
const proxy = createServer((incoming, response) => {
  const { host = '', origin, ...others } = incoming.headers;
  const forwarded = (address: string) => address.replace(/(localhost|127\.0\.0\.1):\d+$/, target.host);
  const headers = {
    ...others,
    host: forwarded(host),
    ...(origin === undefined ? {} : { origin: forwarded(origin) }),
    authorization: `Bearer ${process.env.API_KEY}`,
  };
  const sent = request(target, { method: incoming.method ?? 'GET', headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  sent.on('error', () => response.writeHead(502).end());
  // Not every answer is read to its end.
  response.on('close', () => sent.destroy());
  incoming.pipe(sent);
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const { port } = Object(proxy.address());

type Scenario = { readonly name: string; readonly checks: readonly { id: string; status: string }[] };

const run = async (parameters: readonly string[]): Promise<readonly Scenario[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const url = `http://localhost:${port}/mcp`;
  await promisify(execFile)(
    'node_modules/.bin/conformance',
    ['server', '--url', url, '-o', folder, ...parameters],
    { maxBuffer: 2 ** 26 },
  ).catch(({ code }) => assert.equal(code, 1));
  const folders = await readdir(folder);
  const scenarios = await Promise.all(
    folders.map(async (each) => ({
      name: each.replace(/^server-(.+)-\d{4}-\d\d-\d\dT.*$/, '$1'),
      checks: JSON.parse(await readFile(join(folder, each, 'checks.json'), 'utf8')),
    })),
  );
  await rm(folder, { recursive: true });
  return scenarios;
};

const failedChecks = ({ name, checks }: Scenario): readonly string[] =>
  checks.filter(({ status }) => status === 'FAILURE').map(({ id }) => `${name}:${id}`);

const isExpected = (failed: string): boolean =>
  EXPECTED.includes(failed) || EXPECTED.includes(failed.slice(0, failed.indexOf(':')));

const failures = new Set<string>();
for (const [revision, parameters] of Object.entries(RUNS)) {
  const scenarios = await run(parameters);
  const failed = scenarios.flatMap(failedChecks);
  for (const each of failed) failures.add(each);
  assert.deepEqual(
    failed.filter((each) => !isExpected(each)),
    [],
    `unexpected failures of ${revision}`,
  );
  const passed = scenarios.filter((scenario) => failedChecks(scenario).length === 0);
  assert.ok(scenarios.length > 25, `${revision} has ${scenarios.length} scenarios`);
  console.log(
    `${revision}: ${passed.length} of ${scenarios.length} passed: ${passed.map(({ name }) => name).join(', ')}`,
  );
}
const names = [...failures].flatMap((each) => [each, each.slice(0, each.indexOf(':'))]);
assert.deepEqual(
  EXPECTED.filter((each) => !names.includes(each)),
  [],
  'expected failures that passed',
);
proxy.close();
proxy.closeAllConnections();
