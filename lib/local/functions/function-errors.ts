/** The error payloads that Lambda itself answers in a function's place. */
const payload = (errorType: string, errorMessage: string) => JSON.stringify({ errorType, errorMessage });

export const timedOut = (requestId: string, seconds: number) =>
  payload(
    'Sandbox.Timedout',
    `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  );

export const exited = (requestId: string, status: string) =>
  payload('Runtime.ExitError', `RequestId: ${requestId} Error: Runtime exited with error: ${status}`);

export const responseTooLarge = (limit: number) =>
  payload(
    'Function.ResponseSizeTooLarge',
    `Response payload size exceeded maximum allowed payload size (${limit} bytes).`,
  );
