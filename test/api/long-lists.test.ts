import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, test } from 'node:test';
import * as z from 'zod';
import { fewAtOnce } from '../support/few-at-once.ts';
import { call, HELD_BACK, MODEL, readId } from '../support/http.ts';
import { putVideo } from '../support/library-items.ts';
import { openSharedService } from '../support/open-service.ts';

const MAX_CHARACTERS = 32_000;
/** More than a page holds of either. */
const COUNT = 50;

/** The longest prompts there are, of characters that grow on their way out. */
const CHARACTERS = { 'control characters': '\u0001' };

const pageSchema = z.object({
  data: z.array(z.object({ id: z.string(), prompt: z.string() })).min(1),
  first_id: z.string(),
  last_id: z.string(),
  has_more: z.boolean(),
});

const service = await openSharedService();

for (const [title, character] of Object.entries(CHARACTERS))
  describe(`a list of ${COUNT} prompts of 32,000 ${title}`, () => {
    const prompt = `${HELD_BACK}${character.repeat(MAX_CHARACTERS - HELD_BACK.length)}`;
    let key: string;
    const ids: string[] = [];
    before(async () => {
      const account = `${title}-${randomUUID()}`.replaceAll(' ', '-');
      key = await service.issueKey(account);
      ids.push(
        readId(await call(service, 'POST', '/v1/videos', { key, json: { model: MODEL, prompt } })),
        ...(await fewAtOnce(COUNT - 1, () => putVideo(service, account, { prompt, createdAt: Date.now() }))),
      );
    });

    test('comes in pages that end early, with every task once', async () => {
      const seen: string[] = [];
      let pages = 0;
      for (let after = ''; ; ) {
        const { status, body } = await call(service, 'GET', `/v1/videos?limit=100${after}`, { key });
        assert.equal(status, 200);
        const { data, first_id, last_id, has_more } = pageSchema.parse(body);
        pages += 1;
        assert.deepEqual([first_id, last_id], [data.at(0)?.id, data.at(-1)?.id]);
        assert.ok(data.every((video) => video.prompt === prompt));
        seen.push(...data.map(({ id }) => id));
        assert.equal(has_more, seen.length < COUNT);
        if (!has_more) break;
        after = `&after=${last_id}`;
      }
      assert.deepEqual(seen.toSorted(), ids.toSorted());
      assert.ok(pages > 1 && pages < 10, `${pages} pages`);
    });
  });
