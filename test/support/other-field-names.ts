import type { SentBody } from './create-in-memory.ts';
import { FAST_MODEL } from './http.ts';
import { dataUri, file, PNG } from './images.ts';

/** Fields of other services' video APIs that this one refuses, with the message that names the alternative. */

const SEND_IMAGES = /input_reference.*last_frame.*reference_images/;
const PROMPT = /prompt/;
const FLAT = /top level/;
const HOOK = /webhook_endpoints/;

type RefusedName = readonly [name: string, message: RegExp, alsoInMetadata?: boolean];

export const REFUSED_NAMES: readonly RefusedName[] = [
  ...[
    ...'image_urls imageUrls img_urls image_list input_images input_references frame_images'.split(' '),
    ...'keyframes binary_data_base64 img_id img_prompt subject_reference subjects character_ref'.split(' '),
    ...'style_ref image_ref elements medias inputs'.split(' '),
  ].map((name): RefusedName => [name, SEND_IMAGES]),
  ...['content', 'media', 'files', 'file'].map((name): RefusedName => [name, SEND_IMAGES, false]),
  ...['video_url', 'video_list', 'input_video', 'source_video'].map(
    (name): RefusedName => [name, /images or text only/],
  ),
  ...['audio_url', 'keep_original_sound'].map((name): RefusedName => [name, PROMPT]),
  ...['remix_target_id', 'from_task'].map((name): RefusedName => [name, /create a new one/]),
  ...['mask', 'static_mask', 'dynamic_masks'].map((name): RefusedName => [name, PROMPT]),
  ['orientation', /aspectRatio, one of 16:9, 9:16/],
  ...['n_frames', 'num_frames', 'frames'].map((name): RefusedName => [name, /seconds, one of 4, 6, 8/]),
  ...['image_size', 'video_width', 'quality', 'hd'].map(
    (name): RefusedName => [name, /resolution, one of 720p, 1080p, 4k/],
  ),
  ...['cfg_scale', 'guidance_scale', 'num_inference_steps', 'steps', 'camera_control', 'motion_mode'].map(
    (name): RefusedName => [name, PROMPT],
  ),
  ...['style', 'template', 'loop'].map((name): RefusedName => [name, PROMPT, false]),
  ...['mode', 'type'].map((name): RefusedName => [name, /resolution/, false]),
  ['generationType', /images of the request/],
  ...['callback_url', 'callBackUrl', 'webhook_url', 'notify_hook'].map((name): RefusedName => [name, HOOK]),
  ...['parameters', 'extra_body'].map((name): RefusedName => [name, FLAT]),
  ...['input', 'options', 'provider'].map((name): RefusedName => [name, FLAT, false]),
  ['model_name', /send model/],
  ['promptText', /send prompt/],
  ['storageUri', /content/],
  ['return_last_frame', PROMPT],
];

export const PLAIN_VIDEO = { model: FAST_MODEL, prompt: 'a quiet harbour', seconds: 4 };

const URI = dataUri(PNG, 'image/png');

const asJson = (fields: object): SentBody => ({
  body: JSON.stringify({ ...PLAIN_VIDEO, ...fields }),
  headers: { 'content-type': 'application/json' },
});
const asForm = (name: string, value: string | File): SentBody => {
  const body = new FormData();
  for (const [field, text] of Object.entries(PLAIN_VIDEO)) body.append(field, String(text));
  body.append(name, value);
  return { body };
};

/** Every place where a client could put an image under a name of its own. */
export const IMAGE_PLACES: Readonly<Record<string, (name: string) => SentBody>> = {
  'at top level': (name) => asJson({ [name]: [URI] }),
  'at top level, not in a list': (name) => asJson({ [name]: URI }),
  'in metadata': (name) => asJson({ metadata: { [name]: [URI] } }),
  'as a file of a form': (name) => asForm(name, file(PNG, 'a.png', 'image/png')),
  'in metadata of a form': (name) => asForm(`metadata[${name}]`, URI),
};
