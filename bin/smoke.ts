import { createInterface } from 'node:readline/promises';
import { runCommand } from '../lib/command.ts';
import { runSmoke, USAGE } from '../lib/smoke/run.ts';

const interrupt = new AbortController();
// Once: a second Ctrl-C ends the command without cleaning up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());

const ask = async (question: string): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await terminal.question(question, { signal: interrupt.signal });
  } catch {
    return '';
  } finally {
    terminal.close();
  }
};

await runCommand(USAGE, async (args) => {
  process.exitCode = await runSmoke(args, {
    environment: process.env,
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    ask: process.stdin.isTTY ? ask : undefined,
    interrupted: interrupt.signal,
  });
});
