/**
 * Fills the disk under a running service: `node scenario.ts TEMPLATE FOLDER`, where FOLDER is a small file system of
 * its own. Prints what it saw as JSON.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { readNote } from '../../../../lib/local/local-table.ts';

const SCRIPT = fileURLToPath(new URL('../fixture/run-service.ts', import.meta.url));
const [templateFile = '', folder = ''] = process.argv.slice(2);
const data = join(folder, 'data');
const ballast = join(folder, 'ballast');

const start = () => {
  const child = spawn(process.execPath, [SCRIPT, templateFile, '--port', '0', '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, errors: child.stderr === null ? Promise.resolve('') : text(child.stderr) };
};

const ready = async ({ stdout }: ChildProcess) => {
  let output = '';
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    output += chunk;
    if (output.includes('video.mp4\n')) break;
  }
  stdout?.resume();
};

/** The code that it ends with by itself, or undefined if it goes on for long. */
const ending = async (child: ChildProcess): Promise<unknown> => {
  const exit = child.exitCode === null ? once(child, 'exit') : [child.exitCode];
  const outcome = await Promise.race([exit, sleep(10_000, undefined, { ref: false })]);
  if (outcome === undefined) child.kill('SIGKILL');
  return outcome?.[0];
};

const freeBytes = async (): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

const table = async () => {
  const { tableName: TableName, clientConfig } = await readNote(data);
  const client = new DynamoDBClient({ ...clientConfig, maxAttempts: 1 });
  return {
    put: (id: string, bytes: number) =>
      client.send(new PutItemCommand({ TableName, Item: { id: { S: id }, text: { S: 'x'.repeat(bytes) } } })),
    has: async (id: string) =>
      (await client.send(new GetItemCommand({ TableName, Key: { id: { S: id } } }))).Item !== undefined,
  };
};

const first = start();
await ready(first.child);
await writeFile(ballast, Buffer.alloc((await freeBytes()) - 512 * 1024));
const before = await table();
const acknowledged: string[] = [];
const putAll = async (name: string, sizes: readonly number[]) => {
  const ids = sizes.map((_, index) => `${name}-${index}`);
  const results = await Promise.allSettled(ids.map((id, index) => before.put(id, sizes[index] ?? 0)));
  acknowledged.push(...ids.filter((_, index) => results[index]?.status === 'fulfilled'));
  return results.every(({ status }) => status === 'fulfilled');
};
let round = 0;
while (await putAll(String(round), [60_000, 200, 9_000, 100])) round += 1;
// Room again, and a log that ends in the middle of a record: who goes on writing behind it loses all of that.
await rm(ballast);
for (let index = 0; index < 10; index += 1) await putAll(`later-${index}`, [100, 9_000]);
const code = await ending(first.child);

await writeFile(ballast, Buffer.alloc(await freeBytes()));
const onFullDisk = start();
const secondCode = await ending(onFullDisk.child);

await rm(ballast);
const again = start();
await ready(again.child);
const after = await table();
const kept = await Promise.all(acknowledged.map(after.has));
again.child.kill('SIGTERM');
await once(again.child, 'exit');

console.log(
  JSON.stringify({
    errors: await first.errors,
    code,
    errorsOfSecond: await onFullDisk.errors,
    secondCode,
    acknowledged: acknowledged.length,
    lost: kept.filter((has) => !has).length,
  }),
);
