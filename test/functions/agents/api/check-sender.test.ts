import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSender } from '../../../../functions/agents/api/check-sender.ts';

const isAccepted = (headers: Readonly<Record<string, string>>, addresses: object = {}): boolean => {
  try {
    checkSender((name) => headers[name], {
      baseUrl: `https://${headers.host}/prod`,
      publicUrl: '',
      isAllowedOrigin: false,
      ...addresses,
    });
    return true;
  } catch {
    return false;
  }
};

const HOST = 'api.example.com';
const local = (host: string) => ({ baseUrl: `http://${host}/prod` });

test('accepts clients without an origin, and pages of the service itself', () => {
  assert.ok(isAccepted({ host: HOST }));
  for (const own of [HOST, HOST.toUpperCase()])
    assert.ok(isAccepted({ host: HOST, origin: `https://${own}` }), own);
  const publicUrl = 'https://media.example.com';
  assert.ok(isAccepted({ host: HOST, origin: publicUrl }, { publicUrl }));
  assert.ok(isAccepted({ host: HOST, origin: 'https://app.example.com' }, { isAllowedOrigin: true }));
});

test('refuses pages of other origins', () => {
  for (const origin of ['https://evil.example', `http://${HOST}`, 'null', '', `https://${HOST}.evil.example`])
    assert.ok(!isAccepted({ host: HOST, origin }), origin);
});

test('over HTTP, accepts only names of this machine, or the configured one', () => {
  for (const host of ['Localhost:8787', '127.0.0.123:1', '[::1]:65535', 'localhost'])
    assert.ok(isAccepted({ host }, local(host)), host);
  const names = ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'evil.localhost', ''];
  for (const host of [...names, '127.0.0', '127.0.0.1234', 'localhost:', 'localhost:655350'])
    assert.ok(!isAccepted({ host }, local(host)), host);
  const publicUrl = 'http://192.168.1.5:8787';
  assert.ok(isAccepted({ host: '192.168.1.5:8787' }, { ...local('192.168.1.5:8787'), publicUrl }));
});
