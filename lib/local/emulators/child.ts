import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { endIfStorageFailed } from '../errors.ts';
import { readPort } from '../loopback.ts';
import { callLog, createAwsServer } from './aws-http/server.ts';
import type { Service } from './aws-http/service.ts';
import { dynamoDb } from './dynamodb/dynamodb.ts';
import { type EmulatorOptions, type FromChild, type StackResources, ToChild } from './messages.ts';
import { s3 } from './s3/s3.ts';
import { secretsManager } from './secrets-manager.ts';
import { sqs } from './sqs/sqs.ts';

const GRACE_MS = 300;

const log = callLog();

const send = (message: FromChild): void => {
  // If the parent has exited, the disconnect handler follows.
  if (process.connected) process.send?.(message, () => {});
};

const openServices = async (options: EmulatorOptions, endpoint: () => string) => {
  const { dataDir, region, accountId, restorableAfterSeconds } = options;
  const home = { region, accountId };
  const folder = (name: string): string => {
    const path = join(dataDir, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return new Map<string, Service>([
    // First, because its lock prevents two processes from sharing a data folder.
    ['dynamodb', await dynamoDb(home, folder('dynamodb'), restorableAfterSeconds)],
    ['sqs', sqs(home, folder('sqs'), endpoint)],
    ['s3', s3(folder('s3'))],
    ['secretsmanager', secretsManager(home, folder('secrets'))],
  ]);
};

let services = new Map<string, Service>();

const provision = async (resources: StackResources): Promise<void> => {
  for (const service of services.values()) await service.provision?.(resources);
};

const closeAndExit = async (server: Server, services: Iterable<Service>): Promise<void> => {
  const idle = once(server, 'close');
  server.close();
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
  await Promise.race([idle, new Promise((resolve) => setTimeout(resolve, GRACE_MS * 2))]);
  await Promise.allSettled([...services].map((service) => service.close()));
  process.exit(0);
};

const start = async (options: EmulatorOptions): Promise<void> => {
  services = await openServices(options, () => `http://127.0.0.1:${readPort(server)}`);
  await provision(options);
  const { region, masterSecret } = options;
  const server: Server = createAwsServer({ services, region, masterSecret, log });
  const stop = () => void closeAndExit(server, services.values());
  process.once('disconnect', stop);
  process.once('SIGTERM', stop);
  if (!process.connected) return stop();
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  send({ kind: 'ready', port: readPort(server) });
};

// The data is private.
process.umask(0o077);

// Ctrl-C reaches the whole process group, but the parent decides when the emulators exit.
process.on('SIGINT', () => {});

process.on('message', (message) => {
  const request = ToChild.parse(message);
  if (request.kind === 'start') {
    start(request.options).catch((error) => {
      endIfStorageFailed(error);
      send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
      process.disconnect();
    });
  }
  if (request.kind === 'calls') {
    if (request.forget) log.clear();
    send({ kind: 'calls', id: request.id, calls: log.all() });
  }
  if (request.kind === 'provision') {
    const { id } = request;
    provision(request.resources).then(
      () => send({ kind: 'provisioned', id }),
      (error) => {
        endIfStorageFailed(error);
        send({ kind: 'provisioned', id, refused: error instanceof Error ? error.message : String(error) });
      },
    );
  }
});
