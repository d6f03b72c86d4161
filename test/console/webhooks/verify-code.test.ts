import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { VERIFY_CODE, VERIFY_LANGUAGES } from '../../../console/webhooks/verify-code.ts';
import { signatureHeaders } from '../../../functions/webhooks/domain/webhook-signature.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"id":"evt_1","object":"event","type":"video.completed","created_at":1,"data":{"id":"task_1"}}';

const COMMANDS = {
  node: { command: process.execPath, file: 'receiver.mjs', probe: ['--version'] },
  python: { command: 'python3', file: 'receiver.py', probe: ['-c', 'import openai'] },
} as const;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const post = async (port: number, body: string, headers: Record<string, string>): Promise<number> => {
  for (let tries = 0; ; tries += 1)
    try {
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })).status;
    } catch (error) {
      if (tries === 100) throw error;
      // The receiver is still starting.
      await sleep(100);
    }
};

const folder = await temporaryFolder('verify-code');
await symlink(resolve(import.meta.dirname, '..', '..', '..', 'node_modules'), join(folder, 'node_modules'));

describe('the receiver that the console shows accepts only signed requests', () => {
  for (const language of VERIFY_LANGUAGES) {
    const { command, file, probe } = COMMANDS[language];
    const isMissing = spawnSync(command, probe).status !== 0;
    test(language, { skip: isMissing && `${command} or a package of it is not installed` }, async (t) => {
      const port = await freePort();
      await writeFile(join(folder, file), VERIFY_CODE[language].replace('3000', String(port)));
      const env = { ...process.env, BASE_URL: 'http://127.0.0.1:9', API_KEY: 'k', WEBHOOK_SECRET: SECRET };
      const receiver = spawn(command, [file], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
      t.after(() => receiver.kill());
      let output = '';
      receiver.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
      const headers = signatureHeaders(
        [{ secret: SECRET, oldSecret: undefined }],
        { id: 'evt_1', body: BODY },
        Date.now(),
      );
      assert.equal(await post(port, BODY, headers), 204);
      assert.equal(await post(port, BODY.replace('task_1', 'task_2'), headers), 400);
      assert.equal(await post(port, BODY, {}), 400);
      // Python buffers its output until it exits.
      if (language === 'node') assert.equal(output, 'video.completed task_1\n');
    });
  }
});
