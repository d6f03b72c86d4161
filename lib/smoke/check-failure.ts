import type { Answer } from './answer.ts';
import { at, textAt } from './json-path.ts';

/** What a check expected and saw, in one line for a person. */
export class CheckFailure extends Error {}

const LONGEST_MESSAGE = 160;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, LONGEST_MESSAGE);

/** The code of an error in either dialect, and its message. */
const errorIn = ({ json }: Answer): string => {
  const code = textAt(json, 'error', 'status') || textAt(json, 'error', 'code');
  const message = textAt(json, 'error', 'message') || textAt(json, 'message');
  return [code, message === '' ? '' : `"${oneLine(message)}"`].filter((part) => part !== '').join(' ');
};

export const failure = (expected: string, seen: string, answer?: Answer): CheckFailure =>
  new CheckFailure(
    `expected ${expected}, saw ${seen}${answer === undefined ? '' : ` (request id ${answer.requestId})`}`,
  );

export const expectStatus = (answer: Answer, status: number): void => {
  if (answer.status === status) return;
  throw failure(String(status), `${answer.status} ${errorIn(answer)}`.trimEnd(), answer);
};

export const expectTrue = (holds: boolean, expected: string, seen: string, answer?: Answer): void => {
  if (!holds) throw failure(expected, seen, answer);
};

type ExpectedError = { readonly status: number; readonly code: string };

const expectError = (answer: Answer, { status, code }: ExpectedError, found: unknown): void => {
  if (answer.status === status && found === code && textAt(answer.json, 'error', 'message') !== '') return;
  const seen = errorIn(answer) || `a body of ${answer.bytes.length} bytes that is not an error of the API`;
  throw failure(`${status} ${code}`, `${answer.status} ${seen}`, answer);
};

/** An error of `/v1`. */
export const expectOpenAiError = (answer: Answer, expected: ExpectedError): void =>
  expectError(answer, expected, at(answer.json, 'error', 'code'));

/** An error of `/v1beta`. */
export const expectNativeError = (answer: Answer, expected: ExpectedError): void => {
  expectError(answer, expected, at(answer.json, 'error', 'status'));
  const code = at(answer.json, 'error', 'code');
  expectTrue(code === expected.status, `error.code ${expected.status}`, String(code), answer);
};
