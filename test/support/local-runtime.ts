import { FunctionProcess } from '../../lib/local/functions/function-process.ts';
import {
  runtimeEnvironment,
  type Streamed,
  type StreamedFunction,
  watchSilence,
} from './aws-runtime-client.ts';

const ending = (error: string | undefined): Omit<Streamed, 'bytes'> => {
  if (error === undefined) return { outcome: 'ok' };
  const { errorType, errorMessage } = JSON.parse(error);
  return { outcome: 'error', error: { errorType, errorMessage } };
};

/** The answer to one event; it is unfinished when the stream stays silent. */
const streamOne = async (process: FunctionProcess, event: unknown): Promise<Streamed> => {
  const chunks: Uint8Array[] = [];
  const late = Promise.withResolvers<'late'>();
  const silence = watchSilence(() => late.resolve('late'));
  const answered = process.invoke(
    {
      type: 'invoke',
      requestId: 'request',
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:streamed',
      payload: JSON.stringify(event),
      deadline: Date.now() + 60_000,
      traceId: 'Root=1-0-0',
    },
    async (chunk) => {
      chunks.push(chunk);
      silence.heard();
    },
  );
  const answer = await Promise.race([answered, late.promise]);
  silence.stop();
  const bytes = Buffer.concat(chunks);
  if (answer === 'late') return { bytes, outcome: 'unfinished' };
  return answer.type === 'done' ? { bytes, ...ending(answer.error) } : { bytes, outcome: 'crash' };
};

/** Runs events on the local runtime, whose built file is `runtimeFile`; in a new process after each that ends one. */
export const streamLocally = async (
  runtimeFile: string,
  { bundle, ...streamed }: StreamedFunction,
  events: readonly unknown[],
): Promise<readonly Streamed[]> => {
  const environment = runtimeEnvironment({ bundle, ...streamed });
  const start = () =>
    new FunctionProcess({ runtimeFile, bundle, environment, memoryMegabytes: 256, onLine: () => {} });
  const end = async (process: FunctionProcess) => {
    process.kill();
    await process.exited;
  };
  const answers: Streamed[] = [];
  let process = start();
  for (const event of events) {
    await process.loaded;
    const answer = await streamOne(process, event);
    answers.push(answer);
    if (answer.outcome === 'ok' || answer.outcome === 'error') continue;
    await end(process);
    process = start();
  }
  await end(process);
  return answers;
};
