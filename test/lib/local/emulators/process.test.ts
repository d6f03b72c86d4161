import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CreateQueueCommand, GetQueueAttributesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { spawnEmulators, startEmulators } from '../../../../lib/local/emulators/start.ts';
import { createClients, emulated, optionsFor } from './emulated.ts';

const PARENT = fileURLToPath(new URL('./parent.ts', import.meta.url));
const Started = z.object({ endpoint: z.string(), pid: z.number() });

const cloud = await emulated();
after(() => cloud.end());

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const gone = async (pid: number): Promise<void> => {
  while (isAlive(pid)) await sleep(10);
};

test('exits with its parent, even a killed one, and leaves its data to the next process', async () => {
  await cloud.emulators.close();
  const parent = spawn(process.execPath, [PARENT, cloud.dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(parent.stdout, 'data');
  const { pid } = Started.parse(JSON.parse(String(line)));
  parent.kill('SIGKILL');
  // At once, while the orphan may still be flushing and holding the lock.
  await cloud.restart();
  await gone(pid);
  const { QueueUrl } = await cloud.clients.sqs.send(new CreateQueueCommand({ QueueName: 'inherited' }));
  await cloud.restart();
  assert.ok(await cloud.clients.sqs.send(new GetQueueAttributesCommand({ QueueUrl })));
});

test('leaves no process behind when closed, even during a request', async () => {
  const { pid } = cloud.emulators;
  const { sqs } = cloud.clients;
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'polled' }));
  const poll = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 })).catch(() => 'cut');
  await sqs.send(new GetQueueAttributesCommand({ QueueUrl }));
  await cloud.restart();
  assert.equal(isAlive(pid), false);
  await poll;
});

test('reports that its port is in use', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await cloud.emulators.close();
  await assert.rejects(startEmulators({ ...optionsFor(cloud.dataDir), port }), /EADDRINUSE/);
  holder.close();
  await cloud.restart();
  const { sqs } = createClients(cloud.emulators);
  assert.ok(await sqs.send(new CreateQueueCommand({ QueueName: 'answering' })));
});

test('is not reachable from other machines', async () => {
  const { port } = new URL(cloud.emulators.endpoint);
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  for (const { address } of addresses) await assert.rejects(fetch(`http://${address}:${port}`));
});

test('exits without its parent while it waits for its start', async () => {
  const waiting = spawnEmulators();
  const exited = once(waiting, 'exit');
  waiting.disconnect();
  await exited;
});

test('reports that the process has exited before its start', async () => {
  const killed = spawnEmulators();
  const exited = once(killed, 'exit');
  killed.kill('SIGKILL');
  await exited;
  await assert.rejects(
    startEmulators(optionsFor(cloud.dataDir), killed),
    /The emulators exited during their start/,
  );
});
