import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runInThisContext } from 'node:vm';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import { UpstreamError } from '../../../../lib/sample-generator/upstream-error.ts';
import { AWKWARD_PATTERNS, PATTERN_BYTES } from './awkward-patterns.ts';
import { TEXT_READERS, type TextReader } from './text-readers.ts';

const MOST_MILLISECONDS = 1000;
/** Ends what would go on for ever, even in the middle of a regular expression. */
const PATIENCE = 10 * MOST_MILLISECONDS;
const LONGEST_MESSAGE = 1000;

const limited = (work: () => unknown): unknown => {
  Object.assign(globalThis, { limitedWork: work });
  return runInThisContext('limitedWork()', { timeout: PATIENCE });
};

const isRefusal = (error: unknown): error is Error =>
  (error instanceof DomainError && error.row.http < 500) ||
  (error instanceof UpstreamError && error.code < 500);

const messageFault = (message: string): string | undefined => {
  if (message.length > LONGEST_MESSAGE) return `a message of ${message.length} characters`;
  if (/\p{Cc}/u.test(message)) return 'a message with control characters';
  return message.isWellFormed() ? undefined : 'a message that is not well-formed';
};

/** What is wrong with how a text is read; undefined where it is accepted, or refused in a line, in time. */
const faultOf = async (read: TextReader, text: string): Promise<string | undefined> => {
  const started = process.cpuUsage();
  let fault: string | undefined;
  try {
    await limited(() => read(text));
  } catch (error) {
    fault = isRefusal(error) ? messageFault(error.message) : String(error);
  }
  // The processor's time, since other tests run beside this one.
  const { user, system } = process.cpuUsage(started);
  const milliseconds = (user + system) / 1000;
  return milliseconds < MOST_MILLISECONDS ? fault : `${milliseconds} ms`;
};

describe('256 KB of any awkward pattern are read, or refused in one line, within a second', () => {
  for (const [reader, read] of Object.entries(TEXT_READERS))
    test(`as ${reader}`, async () => {
      const faults: string[] = [];
      for (const [pattern, text] of Object.entries(AWKWARD_PATTERNS)) {
        const fault = await faultOf(read, text);
        if (fault !== undefined) faults.push(`${pattern}: ${fault}`);
      }
      assert.deepEqual(faults, []);
    });

  test('there are enough patterns and readers, each pattern of 256 KB', () => {
    assert.ok(Object.keys(AWKWARD_PATTERNS).length >= 40 && Object.keys(TEXT_READERS).length >= 40);
    for (const [pattern, text] of Object.entries(AWKWARD_PATTERNS))
      assert.ok(Buffer.byteLength(text) >= PATTERN_BYTES, pattern);
  });
});
