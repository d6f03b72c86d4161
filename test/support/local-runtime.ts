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

/** Runs one event on the local runtime, whose built file is `runtimeFile`. */
export const streamLocally = async (
  runtimeFile: string,
  streamed: StreamedFunction,
  event: unknown,
): Promise<Streamed> => {
  const process = new FunctionProcess({
    runtimeFile,
    bundle: streamed.bundle,
    environment: runtimeEnvironment(streamed),
    memoryMegabytes: 256,
    onLine: () => {},
  });
  const chunks: Uint8Array[] = [];
  const late = Promise.withResolvers<'late'>();
  const silence = watchSilence(() => late.resolve('late'));
  const answered = process.loaded.then(() =>
    process.invoke(
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
    ),
  );
  const answer = await Promise.race([answered, late.promise]);
  silence.stop();
  process.kill();
  await process.exited;
  const bytes = Buffer.concat(chunks);
  if (answer === 'late') return { bytes, outcome: 'unfinished' };
  return answer.type === 'done' ? { bytes, ...ending(answer.error) } : { bytes, outcome: 'crash' };
};
