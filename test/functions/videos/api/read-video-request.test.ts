import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { VIDEO_CATALOGUE } from '../../../../functions/catalogue/domain/models.ts';
import { FilePart } from '../../../../functions/platform/body/fields.ts';
import type { Advice } from '../../../../functions/platform/body/unknown-fields.ts';
import { DomainError } from '../../../../functions/platform/domain/errors.ts';
import {
  CONVERSIONS,
  genericOptions,
  otherOptions,
  SPELLINGS,
  TOP_LEVEL_ONLY,
} from '../../../../functions/videos/api/foreign-video-fields.ts';
import { readVideoDraft, videoFieldNames } from '../../../../functions/videos/api/read-video-request.ts';
import { resolveVideoRequest } from '../../../../functions/videos/domain/video-request.ts';
import { videoCreator } from '../../../support/create-in-memory.ts';
import { dataUri, imageKind, JPEG, PNG } from '../../../support/images.ts';
import { IMAGE_PLACES, REFUSED_NAMES } from '../../../support/other-field-names.ts';

const BASE = { model: 'video-3.1-generate-preview', prompt: 'a fox' };
const URI = dataUri(PNG, 'image/png');
const read = (fields: object) => readVideoDraft({ ...BASE, ...fields }).data;

const refusal = (fields: object): DomainError => {
  const body = { ...BASE, ...fields };
  try {
    resolveVideoRequest(readVideoDraft(body).data, videoFieldNames(body));
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the request was accepted');
};

/** The images of a draft: first frame, last frame, references. */
const images = (fields: object): string => {
  const { firstFrame, lastFrame, references } = read(fields);
  return [firstFrame, lastFrame, ...references].map(imageKind).join(' ');
};

const camelCase = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

describe("other services' names for images", () => {
  const EXPECTED = {
    input_reference: ['image/png none', 'file_abc none'],
    last_frame: ['none image/png', 'none file_abc'],
    reference_images: ['none none image/png', 'none none file_abc'],
  } as const;
  for (const field of ['input_reference', 'last_frame', 'reference_images'] as const)
    for (const name of SPELLINGS[field].flatMap((each) => [each, camelCase(each)]))
      test(`${name} is ${field}`, () => {
        const [asImage, asFile] = EXPECTED[field];
        assert.equal(images({ [name]: URI }), asImage);
        assert.equal(images({ [name]: new FilePart(PNG) }), asImage);
        assert.equal(images({ [name]: { image_url: { url: URI } } }), asImage);
        assert.equal(images({ [name]: { file_id: 'file_abc' } }), asFile);
        assert.equal(images({ metadata: { [name]: [URI] } }), asImage);
        const remote = refusal({ [name]: 'https://10.0.0.1/a.png' });
        assert.deepEqual([remote.code, remote.param], ['remote_image_not_supported', name]);
        const bad = refusal({ metadata: { [name]: 7 } });
        assert.deepEqual([bad.rule.http, bad.param], [400, `metadata.${name}`]);
      });

  for (const name of ['image_base64', 'imageBase64', 'image_b64', 'first_frame_base64', 'lastFrameBase64'])
    test(`${name} accepts Base64`, () => {
      assert.match(images({ [name]: JPEG.toString('base64') }), /image\/jpeg/);
      assert.match(images({ metadata: { [name]: JPEG.toString('base64url') } }), /image\/jpeg/);
      assert.match(images({ [name]: URI }), /image\/png/);
      assert.equal(refusal({ [name]: '%' }).param, name);
      assert.equal(refusal({ [name]: 'https://10.0.0.1/a.png' }).code, 'remote_image_not_supported');
    });

  test('accept Base64 only if they say so', () => {
    assert.equal(refusal({ image: JPEG.toString('base64') }).param, 'image');
  });
});

describe('a name that could mean several things is refused, with the accepted ones', () => {
  for (const [name, message, alsoInMetadata = true] of REFUSED_NAMES)
    test(name, () => {
      const error = refusal({ [name]: [URI] });
      assert.deepEqual([error.code, error.param, error.rule.http], ['unknown_parameter', name, 400]);
      assert.match(error.message, message);
      const within = refusal({ metadata: { [name]: alsoInMetadata ? 'x' : [URI] } });
      assert.deepEqual([within.code, within.param], ['unknown_parameter', `metadata.${name}`]);
    });

  const create = videoCreator();
  for (const [place, send] of Object.entries(IMAGE_PLACES))
    test(`${place}: ${REFUSED_NAMES.length} names`, async () => {
      for (const [name] of REFUSED_NAMES) {
        const error = await create(send(name));
        assert.ok(error instanceof DomainError, `${name} was accepted`);
        assert.deepEqual([error.rule.http, error.code], [400, 'unknown_parameter'], name);
        assert.match(error.param ?? '', new RegExp(`^(metadata\\.)?${name}$`));
      }
    });
});

describe('audio cannot be switched', () => {
  for (const name of ['generateAudio', ...SPELLINGS.generateAudio])
    test(`${name} is refused with any value`, () => {
      for (const value of [true, false, null, 'on', 0])
        for (const fields of [{ [name]: value }, { metadata: { [name]: value } }]) {
          const { code, param, message } = refusal(fields);
          assert.deepEqual([code, param], ['INVALID_ARGUMENT', name]);
          assert.match(message, new RegExp(`^${name} is not supported: audio is always generated`));
        }
    });
});

test('fields without an effect are accepted and named', () => {
  const body = { ...BASE, user: 'u', safety_identifier: 's', metadata: { campaign: 'spring', user: 'u' } };
  const ignored = 'user safety_identifier metadata.campaign metadata.user'.split(' ');
  assert.deepEqual(readVideoDraft(body).ignored, ignored);
});

test('the names of other services, with their meaning or the advice that refuses them, are the recorded ones', () => {
  const adviceByName = (advice: Advice) =>
    Object.fromEntries(advice.flatMap(([names, text]) => names.map((name) => [name, text])));
  const entry = VIDEO_CATALOGUE['video-3.1-generate-preview'];
  const recorded: unknown = JSON.parse(readFileSync(join(import.meta.dirname, 'other-names.json'), 'utf8'));
  assert.deepEqual(
    {
      spellings: SPELLINGS,
      converted: Object.keys(CONVERSIONS),
      refused: adviceByName(otherOptions(entry)),
      refusedAtTopLevel: adviceByName(genericOptions(entry)),
      onlyAtTopLevel: adviceByName(TOP_LEVEL_ONLY),
    },
    recorded,
  );
});
