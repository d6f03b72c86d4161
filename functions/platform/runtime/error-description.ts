/** Messages quote what was being read or sent, so only our own plain errors, which name ids, are told whole. */

type ErrorDescription = Readonly<Record<string, unknown>>;

const FRAME = /^ {4}at .*:\d+:\d+\)?$/;
const MAX_FRAMES = 12;
const MAX_CAUSES = 3;

/** Where it was thrown. The frames follow the message, which may have lines of its own. */
const framesOf = ({ stack = '', message }: Error): string[] =>
  stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.trim());

const isPlain = (error: Error): boolean => error.name === 'Error' && !('$metadata' in error);

/** Codes and numbers that say what went wrong without saying with what. */
const codesOf = (error: Error) => {
  const given: Readonly<Record<string, unknown>> = { ...error };
  const metadata: Readonly<Record<string, unknown>> =
    typeof given.$metadata === 'object' && given.$metadata !== null ? { ...given.$metadata } : {};
  return {
    code: given.code,
    fault: given.fault,
    httpStatus: given.httpStatus ?? metadata.httpStatusCode,
    awsRequestId: metadata.requestId,
  };
};

/** What an operator needs of an error: its kind, its codes, its place and its cause. */
export const describeError = (error: unknown, causes = MAX_CAUSES): ErrorDescription => {
  if (!(error instanceof Error)) return { name: typeof error };
  return {
    name: error.name,
    ...(isPlain(error) ? { message: error.message } : {}),
    ...codesOf(error),
    stack: framesOf(error),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  };
};
