import assert from 'node:assert/strict';
import { existsSync, globSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod';
import { BUILT_IN_ALIASES } from '../../functions/catalogue/domain/model-aliases.ts';
import { AUDIT_TYPES } from '../../functions/identity/domain/audit.ts';
import { MAKER_ROLES, ROLES } from '../../functions/identity/domain/roles.ts';
import { ENDPOINTS } from '../../functions/openapi/api/endpoints.ts';
import { ERRORS } from '../../functions/platform/domain/errors.ts';
import { FEATURES } from '../../functions/platform/domain/features.ts';
import { VIDEO_ERROR_CODES } from '../../functions/upstream/domain/video-generator.ts';
import { KIND_NAMES, KINDS } from '../../functions/upstream/kinds/kinds.ts';
import { SENT_WHEN, WEBHOOK_EVENT_TYPES } from '../../functions/webhooks/domain/webhooks.ts';
import { configSchema } from '../../lib/config-schema.ts';
import { signInSchema } from '../../lib/sign-in-schema.ts';
import { nodeAt, schemaPath } from '../functions/openapi/support/document.ts';
import { CLIENTS } from '../other-clients/clients.ts';
import { firstColumn, namesInCell, PROJECT, readDocument, section, tableRows } from './sections.ts';

const fieldSchema = z.looseObject({
  default: z.unknown().optional(),
  enum: z.array(z.string()).default([]),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
const readFields = (schema: z.core.$ZodType) =>
  z
    .object({ properties: z.record(z.string(), fieldSchema) })
    .parse(z.toJSONSchema(schema, { unrepresentable: 'any' })).properties;

const count = new Intl.NumberFormat('en-US').format;

/** `1–3,650`, as the documents write ranges. */
const toRange = ({ minimum, maximum }: z.infer<typeof fieldSchema>): string[] =>
  minimum === undefined || maximum === undefined ? [] : [`${count(minimum)}–${count(maximum)}`];

/** Defaults that the schema expands to lists of upstreams or features. */
const EXPANDED: Readonly<Record<string, string>> = { upstream: '', features: 'all' };

test('docs/configure.md has every setting in order, with its default, range and choices', () => {
  const settings = Object.entries(readFields(configSchema));
  const rows = tableRows(['docs/configure.md', '## Settings']).slice(1);
  assert.deepEqual(
    rows.flatMap(([name]) => namesInCell(name)),
    settings.flatMap(([name]) => name),
  );
  for (const [name, field] of settings) {
    const [, cell = '', meaning = ''] = rows.find(([first = '']) => first.includes(`\`${name}\``)) ?? [];
    const given = EXPANDED[name] ?? field.default ?? '';
    const text = typeof given === 'string' ? given : JSON.stringify(given);
    const expected = [...(text === '' ? [] : [`\`${text}\``]), ...toRange(field)].join(', ');
    // The default of a consumer depends on another setting.
    const isDerived = cell.includes('`lambdaConcurrencyQuota`');
    assert.equal(isDerived ? cell.split('; ')[1] : cell, expected, name);
    for (const choice of field.enum) assert.ok(meaning.includes(`\`${choice}\``), `${name}: ${choice}`);
  }
});

test('docs/configure.md says what each feature adds', () => {
  const rows = tableRows(['docs/configure.md', '## Features']).slice(1);
  assert.deepEqual(
    rows.flatMap(([name]) => namesInCell(name)),
    [...FEATURES],
  );
  const [, , meaning = ''] =
    tableRows(['docs/configure.md', '## Settings']).find(([name]) => name === '`features`') ?? [];
  for (const feature of FEATURES) assert.ok(meaning.includes(`\`${feature}\``), feature);
});

test('docs/configure.md has the kinds of upstreams, and the ranges of the fields of an upstream and of the sign-in', () => {
  const kinds = tableRows(['docs/configure.md', '## Several upstreams']).find(([name]) => name === '`kind`');
  assert.deepEqual(namesInCell(kinds?.[1]).toSorted(), KIND_NAMES.toSorted());
  const upstream = Object.values(KINDS).flatMap(({ settings }) => Object.entries(readFields(settings)));
  const signIn = Object.entries(readFields(signInSchema));
  for (const [heading, fields] of [
    ['## Several upstreams', upstream],
    ['## Sign-in with OpenID Connect', signIn],
  ] as const) {
    const rows = tableRows(['docs/configure.md', heading]);
    for (const [name, field] of fields) {
      const row = rows.find(([first]) => namesInCell(first).includes(name))?.join(' | ');
      assert.ok(row !== undefined || name === 'storageBaseUrl', name);
      for (const range of toRange(field)) assert.ok(row?.includes(range), `${name}: ${range}`);
    }
  }
});

/** Compares a table of a document, which `UPDATE_OPERATIONS=1` writes. */
const assertTable = (file: string, head: string, rows: readonly string[]): void => {
  const text = readDocument(file);
  const start = text.indexOf(head) + head.length;
  assert.ok(start >= head.length && text.indexOf(head, start) < 0, head);
  const end = text.indexOf('\n\n', start);
  const expected = `${text.slice(0, start)}${rows.map((row) => `\n${row}`).join('')}${text.slice(end)}`;
  if (process.env.UPDATE_OPERATIONS === '1') writeFileSync(join(PROJECT, file), expected);
  assert.equal(readDocument(file), expected);
};

test('docs/webhooks.md lists every type of event (UPDATE_OPERATIONS=1 writes the table)', () => {
  const rows = WEBHOOK_EVENT_TYPES.map((type) => `| \`${type}\` | ${SENT_WHEN[type]} |`);
  assertTable('docs/webhooks.md', '| Event type | Sent when |\n|---|---|', rows);
});

test('docs/api.md lists every declared endpoint (UPDATE_OPERATIONS=1 writes the table)', () => {
  const paths = Map.groupBy(Object.values(ENDPOINTS), ({ path }) => path);
  const rows = Array.from(paths, ([path, endpoints]) => {
    const methods = endpoints.map(({ method, role }) => {
      if (role === (method === 'GET' ? 'viewer' : 'member')) return method;
      return `${method} (${role === 'public' ? 'anyone' : role})`;
    });
    return `| \`${path}\` | ${methods.join(', ')} |`;
  });
  assertTable('docs/api.md', '| Path | Methods |\n|---|---|', rows);
});

test('docs/migration.md lists every built-in alias with its model', () => {
  const documented = tableRows(['docs/migration.md', '## Model names']).flatMap(([model, aliases]) =>
    namesInCell(aliases).map((alias) => [alias, ...namesInCell(model)]),
  );
  assert.deepEqual(documented.toSorted(), Object.entries(BUILT_IN_ALIASES).toSorted());
});

test('docs/api.md lists every error code', () => {
  assert.deepEqual(firstColumn(['docs/api.md', '## Errors']).toSorted(), Object.keys(ERRORS).toSorted());
});

test('docs/account.md lists every type of the audit log', () => {
  const rows = tableRows(['docs/account.md', '## Audit log']).map(([first]) => namesInCell(first));
  const types = rows.flat().filter((name) => AUDIT_TYPES.some((type) => type === name));
  assert.deepEqual(types.toSorted(), AUDIT_TYPES.toSorted());
});

test('docs/account.md says which role the maker of each credential needs', () => {
  const documented = tableRows(['docs/account.md', '### Credentials']).flatMap(([name, , , role]) =>
    namesInCell(role).map((each) => [name, each]),
  );
  assert.deepEqual(Object.fromEntries(documented), {
    'Session of a person': MAKER_ROLES.session,
    'Session from a link': MAKER_ROLES.link,
    'API key of a person': MAKER_ROLES.key,
    'Sign-in link': MAKER_ROLES.link,
    Invitation: MAKER_ROLES.invitation,
    'Share link': MAKER_ROLES.share,
  });
});

test('docs/account.md says what each role may do', () => {
  const names = firstColumn(['docs/account.md', '## People and roles']);
  // The section also has a table of endpoints.
  const roles = names.filter((name) => !name.includes('/v1/'));
  assert.deepEqual(roles, ROLES);
});

test('docs/api.md lists every error code of a failed task', () => {
  assert.deepEqual(firstColumn(['docs/api.md', '## Task states']).toSorted(), VIDEO_ERROR_CODES.toSorted());
});

test('docs/api.md lists every field that is accepted but not applied', () => {
  const schemas = ['CreateVideo', 'GenerateImages', 'EditImages', 'ChatRequest', 'NativeRequest'];
  const places = [
    ...schemas.map(schemaPath),
    [...schemaPath('NativeRequest'), 'properties', 'generationConfig'],
  ];
  const names = places.flatMap((place) =>
    Object.entries(nodeAt(...place, 'properties')).flatMap(([name, field]) =>
      /^Accepted but not applied/.test(String(Object(field).description)) ? [name] : [],
    ),
  );
  assert.ok(names.length > 40);
  const listed = firstColumn(['docs/api.md', '### Fields without effect']);
  assert.deepEqual(listed.toSorted(), [...new Set(names)].toSorted());
});

test('docs/architecture.md lists only existing folders and files', () => {
  const folders = firstColumn(['docs/architecture.md', '## Folders']);
  const rules = section(['docs/architecture.md', '## Where a rule is']);
  const files = Array.from(rules.matchAll(/`((?:functions|lib)\/[^`]+)`/g), ([, file = '']) => file);
  assert.ok(folders.length >= 15 && files.length >= 30);
  for (const path of [...folders, ...files])
    assert.ok(existsSync(join(PROJECT, path.replace('*.ts', ''))), `${path} does not exist`);
});

const REQUESTS = [
  ['### POST /v1/videos', 'functions/platform/runtime/queue.ts', 26],
  ['### GET /v1/videos/{task_id}', 'functions/videos/api/video-object.ts', 12],
  ['### A step of the worker', 'functions/upstream/kinds/gemini/adapter.ts', 18],
] as const;

for (const [heading, last, most] of REQUESTS)
  test(`docs/architecture.md leads through ${heading.slice(4)}: each file is imported by one before it`, () => {
    const files = firstColumn(['docs/architecture.md', heading]);
    for (const [position, file] of files.entries()) {
      const earlier = files.slice(0, position).some((importer) => {
        const path = relative(dirname(importer), file);
        return readDocument(importer).includes(`'${path.startsWith('.') ? path : `./${path}`}'`);
      });
      assert.ok(existsSync(join(PROJECT, file)) && (position === 0 || earlier), file);
    }
    const end = files.indexOf(last) + 1;
    assert.ok(end > 0 && end <= most, `${end} files`);
  });

test('docs/clients.md names the versions of all clients that npm run test:clients runs', () => {
  const { dependencies } = JSON.parse(readDocument('test/other-clients/packages.json'));
  const documented = section(['docs/clients.md', '# Tested clients']);
  const versions = CLIENTS.flatMap(({ packages }) => packages).map((name) =>
    String(dependencies[name]).replace(/^npm:.+@/, ''),
  );
  assert.ok(versions.length > 15);
  const undocumented = versions.filter((version) => !documented.includes(version));
  assert.deepEqual(undocumented, []);
});

test('docs/clients.md lists every tested application with its version', () => {
  const versions = globSync('test/applications/recorded/*.json', { cwd: PROJECT }).map(
    (file) => /^[\w-]+\/[\w-]+ (\w[\w.-]+) /.exec(JSON.parse(readDocument(file)).application)?.[1] ?? file,
  );
  assert.ok(versions.length >= 15);
  const listed = tableRows(['docs/clients.md', '## Applications']).map(([, version]) => version);
  const unlisted = versions.filter((version) => !listed.includes(version));
  assert.deepEqual(unlisted, []);
});
