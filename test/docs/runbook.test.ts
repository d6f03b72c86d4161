import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { bundleInto, keptBundles } from '../../lib/lambda/bundling.ts';
import { FAMILY_NAMES } from '../../lib/monitoring/metrics.ts';
import { codeBlocks, namesInCell, readDocument, section } from './sections.ts';

const RUNBOOK = readDocument('RUNBOOK.md');
const [variables = ''] = codeBlocks(['RUNBOOK.md', '## Before you start'], 'sh');

const readCode = (folder: string): string =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.mjs'))
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n');

const folder = keptBundles(bundleInto) ?? assert.fail('the bundles cannot be kept');

/** The deployed code of each function, also of those that only a setting deploys. */
const bundles: ReadonlyMap<string, string> = new Map(
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [name, readCode(join(folder, name))]),
);

/** Functions log an event with its name, or with that of a fault that has one. */
const writersOf = (event: string): string[] => {
  const written = new RegExp(`\\.(?:info|error)\\("${event}",|event:"${event}"`);
  return [...bundles].flatMap(([name, code]) => (written.test(code) ? [name] : [])).toSorted();
};

const everyFunction = [...bundles.keys()].toSorted();

/** `"$CREATES mcp"` with the values of the variables. */
const expand = (functions: string): string[] => {
  if (functions === '$(every_function)') return everyFunction;
  return functions
    .replace(/\$(\w+)/g, (_, name) => new RegExp(`^${name}='(.*?)'`, 'm').exec(variables)?.[1] ?? '')
    .split(' ')
    .toSorted();
};

/** Events that the runbook looks for in one of the functions that write them, for the reason given. */
const IN_ONE: Readonly<Record<string, string>> = {
  'message failed': 'the alarm is about one queue',
  'share used up': 'the alarm is about one worker',
  'request failed': 'the access log names the route',
  request: 'the alarm is about one route',
};

describe('the runbook looks for an event in the logs of all functions that write it:', () => {
  const commands = Array.from(
    RUNBOOK.matchAll(/\blogs (?:(["'])(.*?)\1|([\w-]+)) '\{ \$\.message = "([^"]+)"/g),
    ([, , list, name = '', event = '']) => ({ functions: expand(list ?? name), event }),
  );

  test('the runbook has such commands', () => {
    assert.ok(commands.length >= 18);
  });

  for (const { functions, event } of commands)
    test(`${event}, in ${functions.length > 10 ? 'all' : functions.join(', ')}`, () => {
      const writers = writersOf(event);
      if (event in IN_ONE) {
        assert.ok(functions.every((name) => writers.includes(name)) && writers.length > functions.length);
        return;
      }
      // Nearly every function reads tables, and calls AWS.
      if (functions.length === everyFunction.length) assert.ok(writers.length > 60);
      else assert.deepEqual(writers, functions);
    });
});

test('every other function in a command of the runbook exists', () => {
  const lists = Array.from(
    RUNBOOK.matchAll(/\blogs (?:(["'])(.*?)\1|([\w-]+)) '/g),
    ([, , list, name = '']) => expand(list ?? name),
  );
  assert.ok(lists.length >= 30);
  assert.deepEqual(
    lists.flat().filter((name) => !bundles.has(name)),
    [],
  );
});

test('the runbook names the route families of the dashboard', () => {
  const [text = ''] = section(['RUNBOOK.md', '### Route errors']).split('\n1. ');
  const [, list = ''] = text.split('shows the family: ');
  assert.deepEqual(
    namesInCell(list).filter((name) => /^[A-Z]/.test(name)),
    FAMILY_NAMES,
  );
});
