import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Claims,
  mapClaims,
  readProfile,
  readReturnTo,
  refuseAddress,
} from '../../../../functions/identity/domain/sign-in.ts';

const ISSUER = 'https://login.example.com';
const MICROSOFT = 'https://login.microsoftonline.com';

describe('readProfile', () => {
  const email = (claims: Claims) => readProfile(ISSUER, 's', claims).email;

  for (const [title, claims, expected] of [
    ['verified', { email: 'Ada@Example.com', email_verified: true }, 'ada@example.com'],
    ['verified, as Cognito writes it', { email: 'a@b.c', email_verified: 'true' }, 'a@b.c'],
    ['not verified', { email: 'a@b.c', email_verified: false }, ''],
    ['without a word about it', { email: 'a@b.c' }, ''],
    ['verified by a number', { email: 'a@b.c', email_verified: 1 }, ''],
    ['not an address', { email: 'mi\u212Ae@example.com', email_verified: true }, ''],
    ['a list', { email: ['a@b.c'], email_verified: true }, ''],
    ['verified by a claim of Microsoft from elsewhere', { iss: ISSUER, email: 'a@b.c', xms_edov: true }, ''],
    ['verified by Microsoft', { iss: `${MICROSOFT}/t/v2.0`, email: 'a@b.c', xms_edov: '1' }, 'a@b.c'],
    ['verified by a flag', { iss: `${MICROSOFT}/t/v2.0`, email: 'a@b.c', xms_edov: true }, 'a@b.c'],
  ] as const)
    test(`an address that is ${title} is ${expected === '' ? 'not used' : 'used'}`, () => {
      assert.equal(email(claims), expected);
    });

  test('knows an address that is not verified', () => {
    assert.equal(readProfile(ISSUER, 's', { email: 'a@b.c' }).hasUnverifiedEmail, true);
    assert.equal(readProfile(ISSUER, 's', {}).hasUnverifiedEmail, false);
  });

  test('shortens a name to 200 characters', () => {
    const name = readProfile(ISSUER, 's', { name: 'x'.repeat(300) }).name;
    assert.ok(name.length === 200, String(name.length));
  });

  test('takes the name, else the user name, else the address', () => {
    const all = { name: ' Ada ', preferred_username: 'ada', email: 'a@b.c', email_verified: true };
    const names = [all, { ...all, name: '' }, { ...all, name: 7, preferred_username: null }];
    const found = names.map((claims) => readProfile(ISSUER, 's', claims).name);
    assert.deepEqual(found, ['Ada', 'ada', 'a@b.c']);
  });
});

describe('refuseAddress', () => {
  for (const [address, expected] of [
    ['ada@example.com', undefined],
    ['ada@sub.example.com', 'domain_not_allowed'],
    ['ada@example.com.evil.test', 'domain_not_allowed'],
    ['example.com@evil.test', 'domain_not_allowed'],
    ['eve@example.com@evil.test', 'domain_not_allowed'],
    ['eve@notexample.com', 'domain_not_allowed'],
    ['', 'email_not_verified'],
  ] as const)
    test(`${address === '' ? 'no address' : address}: ${expected ?? 'accepted'}`, () => {
      assert.equal(refuseAddress({ email: address }, ['example.com', 'example.org']), expected);
    });

  test('accepts everybody without a list of domains', () => {
    assert.equal(refuseAddress({ email: '' }, []), undefined);
  });
});

describe('mapClaims', () => {
  const roles = (claims: Claims, ...mappings: Parameters<typeof mapClaims>[1]) =>
    Object.fromEntries(mapClaims(claims, mappings));
  const admins = { claim: 'groups', value: 'admins', account: 'acme', role: 'admin' } as const;
  const staff = { claim: 'groups', value: 'staff', account: 'acme', role: 'member' } as const;

  for (const [title, claims, expected] of [
    ['one of a list', { groups: ['staff'] }, { acme: 'member' }],
    ['the higher of two', { groups: ['staff', 'admins'] }, { acme: 'admin' }],
    ['a text', { groups: 'staff' }, { acme: 'member' }],
    ['a part of a text', { groups: 'staff admins' }, {}],
    ['an object', { groups: { staff: true } }, {}],
    ['no claim', {}, {}],
  ] as const)
    test(`gives ${title}`, () => {
      assert.deepEqual(roles(claims, admins, staff), expected);
      assert.deepEqual(roles(claims, staff, admins), expected);
    });

  test('gives a role to everybody, or to everybody with a claim', () => {
    const everybody = { value: '*', account: 'all', role: 'viewer' } as const;
    const anyGroup = { claim: 'groups', value: '*', account: 'some', role: 'viewer' } as const;
    assert.deepEqual(roles({}, everybody, anyGroup), { all: 'viewer' });
    assert.deepEqual(roles({ groups: ['x'] }, everybody, anyGroup), { all: 'viewer', some: 'viewer' });
    assert.deepEqual(roles({ groups: [] }, anyGroup), {});
  });

  test('reads a claim by its whole name, or by its path', () => {
    const named = { claim: 'https://x.test/roles', value: 'a', account: 'one', role: 'viewer' } as const;
    const nested = { claim: 'realm_access.roles', value: 'a', account: 'two', role: 'viewer' } as const;
    const claims = { 'https://x.test/roles': ['a'], realm_access: { roles: ['a'] } };
    assert.deepEqual(roles(claims, named, nested), { one: 'viewer', two: 'viewer' });
    assert.deepEqual(roles({}, { ...named, claim: 'constructor.name', value: 'Object' }), {});
    assert.deepEqual(roles({ realm: 'a' }, { ...named, claim: 'realm.length', value: '1' }), {});
  });

  test('compares numbers and flags by their text', () => {
    const level = { claim: 'level', value: '7', account: 'acme', role: 'viewer' } as const;
    assert.deepEqual(roles({ level: 7 }, level), { acme: 'viewer' });
  });
});

describe('readReturnTo', () => {
  for (const path of ['/console/library?a=1#top', '/console', '/console/', '/console/a%2Fb', '/console//x'])
    test(`keeps ${path}`, () => {
      assert.equal(readReturnTo(path, ''), path);
      assert.equal(readReturnTo(`/prod${path}`, '/prod'), path);
    });

  for (const path of [
    ...[undefined, '', '/', '/v1/x', '/consolex', '//evil.test/console/', '/\\evil.test/console/'],
    ...['\\\\evil.test', 'https://evil.test/console/', '/%5cevil.test', '/console/../x', '/console/../../x'],
    ...['/console/%2e%2e/x', '/console/%2e%2e/%2e%2e/x', 'javascript:alert(1)', '\t//evil.test/console/'],
    ...['/\n/evil.test/console/', `/console/${'x'.repeat(1000)}`],
  ])
    test(`replaces ${JSON.stringify(path)?.slice(0, 40)}`, () => {
      assert.equal(readReturnTo(path, ''), '/console/');
      assert.equal(readReturnTo(path, '/prod'), '/console/');
    });
});
