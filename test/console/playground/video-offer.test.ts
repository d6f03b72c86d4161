import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  EMPTY_VIDEO_FORM,
  FORM_RULES,
  offersEveryVideo,
  readVideoForm,
  type VideoForm,
} from '../../../console/playground/video-form.ts';
import { createVideoOffer } from '../../../console/playground/video-offer.ts';
import type { VideoCapabilitiesObject } from '../../../functions/catalogue/api/video-capabilities.ts';
import { VIDEO_MODES, videoModelEntry } from '../../../functions/catalogue/domain/models.ts';
import { EVERY_OPTION } from '../../support/video-capabilities.ts';

const { seconds, resolutions, aspectRatios } = videoModelEntry('video-3.1-fast-generate-preview');
const [STANDARD, FAST] = ['video-3.1-generate-preview', 'video-3.1-fast-generate-preview'] as const;

const can = (change: Partial<VideoCapabilitiesObject> = {}): VideoCapabilitiesObject => ({
  ...EVERY_OPTION,
  ...change,
});

/** A deployment whose fast model has these capability sets. */
const createOffer = (...sets: readonly VideoCapabilitiesObject[]) =>
  createVideoOffer({ [FAST]: [...sets] }, FORM_RULES);

const form = (change: Partial<VideoForm> = {}): VideoForm => ({
  ...EMPTY_VIDEO_FORM,
  prompt: 'x',
  ...change,
});

const notOffered = (what: string, offered: string): string =>
  `This deployment does not offer ${what} with ${FAST}. It offers ${offered}.`;
const leaveOut = (what: string): string =>
  `This deployment does not offer ${what} with ${FAST}. Leave it out.`;
const conflict = (what: string): string =>
  `This deployment offers ${what} with ${FAST}, but not in one video. Change one of them.`;

describe('a choice that is not offered', () => {
  const offer = createOffer(
    can({ modes: ['text', 'first_frame'], seconds: [4, 8], resolutions: ['720p'], aspect_ratios: ['16:9'] }),
  );
  for (const [title, limit, disabled, what, offered] of [
    [
      'a mode',
      offer.limit(form(), 'mode', VIDEO_MODES),
      ['first_and_last_frame', 'references'],
      'a first and a last frame',
      'text alone, a first frame',
    ],
    [
      'a resolution',
      offer.limit(form(), 'resolution', resolutions),
      ['1080p', '4k'],
      'resolution 1080p',
      '720p',
    ],
    ['a length', offer.limit(form(), 'seconds', [4, 6, 8]), [6], '6 seconds', '4, 8'],
    [
      'an aspect ratio',
      offer.limit(form(), 'aspectRatio', aspectRatios),
      ['9:16'],
      'aspect ratio 9:16',
      '16:9',
    ],
  ] as const)
    test(`of ${title} is disabled with the reason`, () =>
      assert.deepEqual(limit, { disabled, reason: notOffered(what, offered) }));

  test('is explained first if it is the chosen one', () =>
    assert.equal(
      offer.limit(form({ resolution: '4k' }), 'resolution', resolutions).reason,
      notOffered('resolution 4k', '720p'),
    ));

  test('makes the form invalid until it is changed', () => {
    assert.equal(offer.accepts(form()), true);
    assert.equal(offer.accepts(form({ resolution: '4k' })), false);
    assert.equal(offer.accepts(form({ model: STANDARD })), false);
  });

  test('is not explained if everything is offered', () =>
    assert.deepEqual(createOffer(can()).limit(form(), 'mode', VIDEO_MODES), {
      disabled: [],
      reason: undefined,
    }));
});

describe('options of different upstreams', () => {
  const offer = createOffer(
    can({ resolutions: ['720p', '1080p'] }),
    can({ modes: ['text'], resolutions: ['720p', '4k'] }),
  );

  test('limit each other in the order of the form, so that each can still be changed', () => {
    const references = form({ mode: 'references' });
    assert.deepEqual(offer.limit(references, 'resolution', resolutions), {
      disabled: ['4k'],
      reason: conflict('reference images and resolution 4k'),
    });
    assert.deepEqual(offer.limit(form({ resolution: '4k' }), 'mode', VIDEO_MODES), {
      disabled: [],
      reason: undefined,
    });
  });

  test('are each explained once', () => {
    const both = createOffer(
      can({ resolutions: ['720p'] }),
      can({ modes: ['text'], resolutions: ['720p', '1080p'] }),
    );
    assert.deepEqual(both.limit(form({ mode: 'references' }), 'resolution', resolutions), {
      disabled: ['1080p', '4k'],
      reason: `${conflict('reference images and resolution 1080p')} ${notOffered('resolution 4k', '720p, 1080p')}`,
    });
  });

  test('are not blamed on a later choice', () => {
    const impossible = form({ mode: 'references', resolution: '4k' });
    assert.deepEqual(offer.limit(impossible, 'seconds', seconds).disabled, []);
    assert.equal(offer.accepts(impossible), false);
  });
});

test('an option that is never offered is refused even if earlier choices are in conflict', () => {
  const offer = createOffer(
    can({ modes: ['text'], aspect_ratios: ['16:9'], seed: false }),
    can({ resolutions: ['720p'], aspect_ratios: ['16:9'], seed: false }),
  );
  const impossible = form({ mode: 'references', resolution: '4k' });
  assert.deepEqual(offer.limit(impossible, 'aspectRatio', aspectRatios), {
    disabled: ['9:16'],
    reason: notOffered('aspect ratio 9:16', '16:9'),
  });
  assert.equal(offer.refuse(impossible, 'seed'), leaveOut('a seed'));
});

describe('a negative prompt and a seed', () => {
  const offer = createOffer(can({ seed: false, negative_prompt: false }));

  test('are refused with the reason, and not sent, if they are not offered', () => {
    const given = form({ negativePrompt: 'rain', seed: '7' });
    assert.equal(offer.refuse(given, 'negativePrompt'), leaveOut('a negative prompt'));
    const fitted = offer.fit(given);
    assert.equal(offer.refuse(fitted, 'seed'), leaveOut('a seed'));
    assert.deepEqual(fitted, form());
    assert.equal(offer.accepts(fitted), true);
  });

  test('are refused only with other choices that exclude them', () => {
    const either = createOffer(can({ seed: false }), can({ resolutions: ['720p'] }));
    assert.equal(either.refuse(form(), 'seed'), undefined);
    assert.equal(either.refuse(form({ resolution: '4k' }), 'seed'), conflict('resolution 4k and a seed'));
    assert.equal(either.fit(form({ resolution: '4k', seed: '0' })).seed, '');
    assert.equal(either.fit(form({ seed: '0' })).seed, '0');
  });

  test('leave the form as it is if they are offered or empty', () => {
    const [everything, given] = [form({ negativePrompt: 'rain', seed: '7' }), form()];
    assert.equal(createOffer(can()).fit(everything), everything);
    assert.equal(offer.fit(given), given);
  });
});

describe('the model', () => {
  test('is refused with the offered ones, and then nothing else is', () => {
    const offer = createOffer(can({ resolutions: ['720p'] }));
    assert.deepEqual(offer.models, [FAST]);
    assert.equal(offer.refuseModel(FAST), undefined);
    assert.equal(
      offer.refuseModel(STANDARD),
      `This deployment does not offer ${STANDARD}; it offers ${FAST}.`,
    );
    assert.deepEqual(offer.limit(form({ model: STANDARD }), 'resolution', resolutions).disabled, []);
    assert.equal(offer.refuse(form({ model: STANDARD }), 'seed'), undefined);
  });

  test('of a new form is one that is offered', () => {
    const offer = createVideoOffer({ [STANDARD]: [can()] }, FORM_RULES);
    assert.equal(offer.start(undefined).model, STANDARD);
    assert.equal(createOffer(can()).start('other').model, FAST);
  });
});

describe('a new form', () => {
  const narrow = can({
    modes: ['first_frame', 'references'],
    seconds: [4, 6],
    resolutions: ['1080p'],
    aspect_ratios: ['9:16'],
  });

  test('has the usual values if they are offered, otherwise the first ones', () => {
    assert.deepEqual(readVideoForm({ ...createOffer(can()).start(undefined) }), EMPTY_VIDEO_FORM);
    assert.deepEqual(readVideoForm({ ...createOffer(narrow).start(undefined) }), {
      ...EMPTY_VIDEO_FORM,
      mode: 'first_frame',
      seconds: 4,
      resolution: '1080p',
      aspectRatio: '9:16',
    });
  });

  test('has the usual values with a stored model that is no longer offered', () =>
    assert.deepEqual(readVideoForm({ ...createOffer(narrow).start(STANDARD) }), {
      ...EMPTY_VIDEO_FORM,
      model: STANDARD,
    }));
});

describe('a deployment offers every video', () => {
  test('if one upstream of each model can do everything', () => {
    assert.equal(offersEveryVideo({ [STANDARD]: [can()], [FAST]: [can({ seed: false }), can()] }), true);
  });

  for (const [title, offers] of [
    ['a model is missing', { [FAST]: [can()] }],
    ['there is no model', {}],
    [
      'no single upstream has all modes',
      { [STANDARD]: [can()], [FAST]: [can({ modes: ['text'] }), can({ modes: ['references'] })] },
    ],
    ['a length is missing', { [STANDARD]: [can({ seconds: [4, 8] })], [FAST]: [can()] }],
    ['a resolution is missing', { [STANDARD]: [can()], [FAST]: [can({ resolutions: ['720p', '1080p'] })] }],
    ['an aspect ratio is missing', { [STANDARD]: [can({ aspect_ratios: ['16:9'] })], [FAST]: [can()] }],
    ['there is no seed', { [STANDARD]: [can()], [FAST]: [can({ seed: false })] }],
    ['there is no negative prompt', { [STANDARD]: [can()], [FAST]: [can({ negative_prompt: false })] }],
  ] as const satisfies readonly (readonly [string, Record<string, VideoCapabilitiesObject[]>])[])
    test(`but not if ${title}`, () => assert.equal(offersEveryVideo(offers), false));
});
