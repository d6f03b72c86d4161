import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileKey } from '../../../../functions/files/domain/file-keys.ts';
import type { StoredFile } from '../../../../functions/files/domain/files.ts';
import type { Caller } from '../../../../functions/identity/domain/api-key.ts';
import type { AuditEntry } from '../../../../functions/identity/domain/audit.ts';
import { type Member, withRole } from '../../../../functions/identity/domain/person.ts';
import type { Collection } from '../../../../functions/library/domain/collections.ts';
import type { OpenedShare, Share, SharedKind } from '../../../../functions/shares/domain/share.ts';
import { createShare, revokeShare } from '../../../../functions/shares/usecases/manage-shares.ts';
import { openShare, openSharedContent } from '../../../../functions/shares/usecases/open-share.ts';
import type { Task } from '../../../../functions/videos/domain/task.ts';
import { aCallerAction, anAction } from '../../../support/audit.ts';
import { aGeneratedImage, anOutput } from '../../../support/builders/file.ts';
import { aTask } from '../../../support/builders/task.ts';
import { MEMBER } from '../../identity/authentication/account-table.ts';

const NOW = 1_800_000_000_000;
const DAY = 86_400_000;
const CALLER = { account: 'account', keyId: 'key' };

const VIDEO = aTask({
  status: 'completed',
  work: undefined,
  file: { key: 'videos/1.mp4', bytes: 5 },
  completedAt: NOW - 1,
  expiresAt: NOW + 3 * DAY,
});
const IMAGE = aGeneratedImage({
  account: 'account',
  name: 'secret name.png',
  createdAt: NOW - 1,
  expiresAt: NOW + 3 * DAY,
});

const COLLECTION: Collection = {
  id: 'collection_01kf0xw3g0a1b2c3d4e5f6g7h8',
  account: 'account',
  name: 'Boats',
  itemIds: [VIDEO.id, IMAGE.id],
  createdAt: NOW - 5,
  updatedAt: NOW - 4,
};
const IDS = { video: VIDEO.id, image: IMAGE.id, collection: COLLECTION.id };

const world = (task: Task | undefined = VIDEO, file: StoredFile | undefined = IMAGE, full = false) => {
  const shares = new Map<string, Share>();
  const entries: AuditEntry[] = [];
  const state: {
    task: Task | undefined;
    file: StoredFile | undefined;
    collection: Collection | undefined;
    member: Member | undefined;
    now: number;
  } = { collection: COLLECTION, member: undefined, task, file, now: NOW };
  const dependencies = {
    shares: {
      add: async (share: Share, entry: AuditEntry) => {
        entries.push(entry);
        if (!full) shares.set(share.id, share);
        return !full;
      },
      find: async (id: string) => shares.get(id),
      remove: async (account: string, id: string, _: number, entry: AuditEntry) => {
        entries.push(entry);
        return shares.get(id)?.account === account && shares.delete(id);
      },
    },
    members: { find: async () => state.member },
    tasks: { find: async (id: string) => (state.task?.id === id ? state.task : undefined) },
    files: {
      find: async (account: string, id: string) =>
        state.file?.account === account && state.file.id === id ? state.file : undefined,
    },
    collections: {
      find: async (account: string, id: string) =>
        state.collection?.account === account && state.collection.id === id ? state.collection : undefined,
    },
    now: () => state.now,
  };
  const create = (
    kind: SharedKind = 'video',
    showsPrompt = false,
    lifetimeSeconds = 3600,
    caller: Caller = CALLER,
  ) =>
    createShare(dependencies, aCallerAction(caller, state.now), {
      item: { kind, id: IDS[kind] },
      lifetimeSeconds,
      showsPrompt,
    });
  return {
    state,
    shares,
    audited: () => entries.map(({ type, resourceId, details }) => [type, resourceId, details]),
    dependencies,
    create,
    open: (token: string, name?: string) => openShare(dependencies, token, name),
    content: (token: string, name?: string) => openSharedContent(dependencies, token, name),
  };
};

describe('a new share', () => {
  test('is for one item, with the creator and the requested time', async () => {
    const { create, shares, audited } = world();
    const { share } = await create();
    const { id, tokenHash, ...rest } = share;
    assert.deepEqual(rest, {
      account: 'account',
      keyId: 'key',
      personId: undefined,
      item: { kind: 'video', id: VIDEO.id, createdAt: 1000 },
      showsPrompt: false,
      createdAt: NOW,
      expiresAt: NOW + 3_600_000,
    });
    assert.deepEqual([...shares.values()], [share]);
    const details = { itemId: VIDEO.id, showsPrompt: false, expiresAt: '2027-01-15T09:00:00.000Z' };
    assert.deepEqual(audited(), [['share.created', id, details]]);
  });

  test('ends with its item', async () => {
    for (const kind of ['video', 'image'] as const)
      assert.equal((await world().create(kind, false, 604_800)).share.expiresAt, NOW + 3 * DAY);
  });

  for (const [name, task, code] of [
    ['of another account', { account: 'other' }, 'video_not_found'],
    ['that is being deleted', { work: { kind: 'delete', dueAt: NOW } }, 'video_not_found'],
    ['that failed', { status: 'failed', file: undefined }, 'video_failed'],
    ['that is not finished', { status: 'in_progress', file: undefined }, 'video_not_ready'],
    ['that has expired', { expiresAt: NOW }, 'video_expired'],
  ] as const)
    test(`is refused for a video ${name}`, async () => {
      const { create, shares } = world({ ...VIDEO, ...task });
      await assert.rejects(create(), { code, param: 'video_id' });
      assert.equal(shares.size, 0);
    });

  for (const [name, file, code] of [
    ['of another account', { account: 'other' }, 'file_not_found'],
    ['that has expired', { expiresAt: NOW }, 'file_not_found'],
    ['that was uploaded', { purpose: 'vision' }, 'invalid_request'],
  ] as const)
    test(`is refused for a file ${name}`, () =>
      assert.rejects(world(VIDEO, { ...IMAGE, ...file }).create('image'), { code, param: 'file_id' }));

  test('is refused if the account has too many', async () => {
    await assert.rejects(world(VIDEO, IMAGE, true).create(), {
      code: 'share_limit',
      message: /1000 share links/,
    });
  });
});

describe('a link', () => {
  const ENDS = NOW + 3_600_000;
  for (const [kind, showsPrompt, opened] of [
    [
      'video',
      false,
      {
        content: { key: 'videos/1.mp4', contentType: 'video/mp4', fileName: 'video.mp4' },
        size: { width: 1280, height: 720 },
        prompt: undefined,
        createdAt: 1000,
      },
    ],
    [
      'image',
      true,
      {
        content: { key: fileKey('account', IMAGE.id), contentType: 'image/png', fileName: 'image.png' },
        size: { width: 512, height: 384 },
        prompt: 'a boat',
        createdAt: NOW - 1,
      },
    ],
  ] as const)
    test(`opens a ${kind}, with its prompt only if that is wanted`, async () => {
      const { create, open } = world();
      assert.deepEqual(await open((await create(kind, showsPrompt)).token), {
        account: 'account',
        expiresAt: ENDS,
        opened: { kind, ...opened, expiresAt: ENDS },
      });
    });

  test('does not open without the right secret, or after it expired or was revoked', async () => {
    const { create, open, state, dependencies, audited } = world();
    const { share, token } = await create();
    assert.equal(await open(`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`), undefined);
    assert.equal(await open('x'), undefined);
    state.now = share.expiresAt;
    assert.equal(await open(token), undefined);
    state.now = NOW;
    assert.notEqual(await open(token), undefined);
    const revoke = (account: string, id = share.id) =>
      revokeShare(dependencies.shares, anAction(account, NOW), id);
    await assert.rejects(revoke('other'), { code: 'not_found' });
    await revoke('account');
    assert.deepEqual(audited().at(-1), ['share.deleted', share.id, {}]);
    assert.equal(await open(token), undefined);
    await assert.rejects(revoke('account'), { param: 'share_id' });
    await assert.rejects(revoke('account', 'count#account'), { code: 'not_found' });
  });

  for (const [name, kind, change] of [
    ['video is gone', 'video', { task: undefined }],
    ['video is being deleted', 'video', { task: { ...VIDEO, work: { kind: 'delete', dueAt: NOW } } }],
    ['video has expired', 'video', { task: { ...VIDEO, expiresAt: NOW } }],
    ['video was replaced by another with the same id', 'video', { task: { ...VIDEO, createdAt: 1001 } }],
    ['video belongs to another account', 'video', { task: { ...VIDEO, account: 'other' } }],
    ['video has no file', 'video', { task: { ...VIDEO, file: undefined } }],
    ['image is gone', 'image', { file: undefined }],
    ['image has expired', 'image', { file: { ...IMAGE, expiresAt: NOW } }],
    ['image was replaced by another with the same id', 'image', { file: { ...IMAGE, createdAt: NOW } }],
    ['image could run in a browser', 'image', { file: { ...IMAGE, mimeType: 'image/svg+xml' } }],
    ['collection is gone', 'collection', { collection: undefined }],
    ['collection is of another account', 'collection', { collection: { ...COLLECTION, account: 'other' } }],
    ['collection was created again', 'collection', { collection: { ...COLLECTION, createdAt: NOW } }],
  ] as const)
    test(`does not open if its ${name}`, async () => {
      const { create, open, content, state } = world();
      const { token } = await create(kind);
      Object.assign(state, change);
      assert.deepEqual([await open(token), await content(token)], [undefined, undefined]);
    });

  test('opens while its creator may share, without interruption', async () => {
    const caller = { ...CALLER, personId: MEMBER.id };
    const { create, open, state } = world();
    const { token } = await create('video', false, 3600, caller);
    const maker: Member = { ...MEMBER, addedAt: NOW };
    for (const [member, opens] of [
      [maker, true],
      [withRole(maker, 'admin', NOW + 1), true],
      [withRole(maker, 'viewer', NOW + 1), false],
      [withRole(withRole(maker, 'viewer', NOW + 1), 'member', NOW + 2), false],
      [{ ...maker, addedAt: NOW + 1 }, false],
      [undefined, false],
    ] as const) {
      state.member = member;
      assert.equal((await open(token)) !== undefined, opens, JSON.stringify(member));
    }
  });

  test('has no dimensions if they are unknown', async () => {
    for (const size of ['auto', '100000x1', '1x100000']) {
      const { create, open } = world(VIDEO, { ...IMAGE, output: anOutput({ size }) });
      const opened = await open((await create('image')).token);
      assert.partialDeepStrictEqual(opened, { opened: { size: undefined } });
    }
  });
});

describe('a link to a collection', () => {
  const parts = async (opened: Promise<OpenedShare | undefined>) => {
    const share = await opened;
    return share?.opened.kind === 'collection' ? share.opened : assert.fail();
  };

  test('lives as long as requested, and shows the items that exist, in their order', async () => {
    const { create, open, state } = world();
    const { share, token } = await create('collection', true, 604_800);
    assert.deepEqual(share.item, { kind: 'collection', id: COLLECTION.id, createdAt: NOW - 5 });
    assert.equal(share.expiresAt, NOW + 7 * DAY);
    const opened = await parts(open(token));
    assert.deepEqual([opened.title, opened.total, opened.shown?.position], ['Boats', 2, 1]);
    assert.partialDeepStrictEqual(opened.parts, [
      { position: 1, kind: 'video', prompt: VIDEO.request.prompt, content: { fileName: 'video-1.mp4' } },
      { position: 2, kind: 'image', prompt: 'a boat', content: { fileName: 'image-2.png' } },
    ]);
    assert.ok(opened.parts.every(({ expiresAt }) => expiresAt === NOW + 3 * DAY));
    assert.doesNotMatch(JSON.stringify(opened), new RegExp(`${VIDEO.id}|${IMAGE.id}`));
    state.collection = { ...COLLECTION, itemIds: [IMAGE.id, VIDEO.id], coverId: VIDEO.id };
    state.file = undefined;
    const changed = await parts(open(token));
    const positions = changed.parts.map(({ position }) => position);
    assert.deepEqual(positions, [2]);
    assert.equal(changed.shown?.position, 2);
  });

  test('leads to the content of its items, and of nothing else', async () => {
    const { create, open, content, state } = world();
    const { token } = await create('collection');
    const { parts: found } = await parts(open(token));
    const [video, image] = found.map(({ name }) => name);
    assert.equal((await content(token, video))?.opened.content.key, 'videos/1.mp4');
    assert.equal((await content(token, image))?.opened.prompt, undefined);
    for (const name of [undefined, '', VIDEO.id, 'other'])
      assert.equal(await content(token, name), undefined);
    const other = await create('collection');
    assert.equal(await content(other.token, video), undefined, 'a name belongs to its link');
    state.collection = { ...COLLECTION, itemIds: [IMAGE.id] };
    assert.equal(await content(token, video), undefined, 'the item was taken out');
    state.collection = COLLECTION;
    state.task = { ...VIDEO, account: 'other' };
    assert.equal(await content(token, video), undefined, 'the item belongs to another account');
  });

  test('is refused for a collection of another account', async () => {
    const { create, state } = world();
    state.collection = { ...COLLECTION, account: 'other' };
    await assert.rejects(create('collection'), { code: 'not_found', param: 'collection_id' });
  });

  test('shows a page of items at a time, around the one that is wanted', async () => {
    const { create, open, state, dependencies } = world();
    const { token } = await create('collection');
    const ids = Array.from({ length: 200 }, (_, index) => `task_${String(index).padStart(26, '0')}`);
    let reads = 0;
    const live = new Set<string>(ids);
    const tasks = {
      find: async (id: string) => {
        reads += 1;
        return live.has(id) ? VIDEO : undefined;
      },
    };
    Object.assign(dependencies, { tasks });
    state.collection = { ...COLLECTION, itemIds: ids, coverId: ids[100] };
    const first = await parts(open(token));
    assert.deepEqual(
      [first.parts.length, first.shown?.position, first.before, reads],
      [24, 101, undefined, 25],
    );
    const second = await parts(open(token, first.after));
    assert.deepEqual([second.parts[0]?.position, second.shown?.position, reads], [25, 25, 49]);
    const top = await parts(open(token, first.parts[0]?.name));
    assert.equal(top.shown?.position, 1, 'not the cover');
    const back = await parts(open(token, second.before));
    assert.deepEqual([back.parts[0]?.position, back.shown?.position], [1, 24]);
    // Items that have ended are passed over, but not without end.
    const openWith = async (...alive: number[]) => {
      live.clear();
      for (const index of alive) live.add(ids[index] ?? '');
      reads = 0;
      const { parts: found } = await parts(open(token));
      return found.map(({ position }) => position);
    };
    assert.deepEqual(await openWith(60), [61]);
    assert.deepEqual(await openWith(95), [96], 'the last that is read');
    assert.deepEqual([await openWith(96), reads], [[], 97]);
  });
});
