import { describeSeconds, type VideoModelEntry } from '../../catalogue/domain/models.ts';
import { writtenNames } from '../../platform/body/fields.ts';
import type { Advice } from '../../platform/body/unknown-fields.ts';
import { listed } from '../../platform/domain/errors.ts';

/** The names that clients of other services send, each also in camelCase: what they mean, or what to send instead. */

/** A name with each of these endings. */
const named = (name: string, ...endings: readonly string[]): readonly string[] =>
  endings.map((ending) => name + ending);

/** Only names that cannot mean anything else. */
export const SPELLINGS = {
  durationSeconds: ['duration_seconds'],
  aspectRatio: ['aspect_ratio', 'ratio'],
  negativePrompt: ['negative_prompt'],
  seed: ['seeds'],
  n: ['number_of_videos', 'num_videos', 'sample_count'],
  input_reference: [
    ...named('image', '', '_url', '_uri', '_base64', '_b64', '_file'),
    'img_url',
    ...named('input_image', '', '_url', '_base64'),
    ...named('first_frame', '', '_image', '_image_url', '_url', '_img', '_base64'),
    ...named('first_image', '', '_url'),
    ...named('start_image', '', '_url'),
    ...named('start_frame', '', '_image', '_url'),
    'head_image',
    'image_head',
    'init_image',
    'prompt_image',
  ],
  last_frame: [
    ...named('last_frame', '_image', '_image_url', '_url', '_img', '_base64'),
    ...named('last_image', '', '_url'),
    ...named('end_image', '', '_url'),
    ...named('end_frame', '', '_image', '_url'),
    'image_tail',
    ...named('tail_image', '', '_url'),
  ],
  reference_images: [
    'reference_image',
    'referenceImages',
    'reference_image_url',
    'reference_image_urls',
    'reference_urls',
    'reference_files',
    'ref_image',
    'ref_images',
    'ref_image_url',
    'ref_image_urls',
    'image_references',
  ],
  reference_type: ['referenceType'],
  generateAudio: [
    'generate_audio',
    'generateaudio',
    'audio_generation',
    'with_audio',
    'enable_audio',
    'include_audio',
    'has_audio',
    'generate_sound',
    'with_sound',
    'sound',
    'bgm',
  ],
  fps: ['frames_per_second', 'framespersecond', 'frame_rate', 'framerate'],
  enhance_prompt: [
    'prompt_enhance',
    'prompt_enhancement',
    'prompt_extend',
    'prompt_optimizer',
    'prompt_upsampling',
  ],
  enable_upsample: ['upscale', 'enable_sample'],
  watermark: ['water_mark', 'add_watermark', 'aigc_watermark'],
  output_format: ['video_format'],
  user: ['user_id', 'end_user'],
} as const;

const toDataUri = (value: unknown): unknown =>
  typeof value !== 'string' || value.includes(':') ? value : `data:;base64,${value}`;

/** The names that announce Base64 are sent without the start of a data URI. */
export const CONVERSIONS: Readonly<Record<string, (value: unknown) => unknown>> = Object.fromEntries(
  Object.values(SPELLINGS)
    .flat()
    .filter((name) => /_b(?:ase)?64$/.test(name))
    .flatMap((name) => writtenNames(name, {}).map((written) => [written, toDataUri])),
);

const sendImages = ({ maxReferences }: VideoModelEntry): string =>
  `send the first frame as input_reference, the last as last_frame, or up to ${maxReferences} reference_images.`;
const NO_OPTION = 'the models have no such option: describe it in the prompt.';
const FLAT = 'send its fields at top level.';

/** Refused, at top level and in metadata. */
export const otherOptions = (entry: VideoModelEntry): Advice => [
  [
    [
      'image_urls',
      'img_urls',
      'image_list',
      'input_images',
      'input_references',
      'frame_images',
      'keyframes',
      'binary_data_base64',
      'img_id',
      'img_prompt',
      'subject_reference',
      'subjects',
      'character_ref',
      'style_ref',
      'image_ref',
      'modify_image_ref',
      'style_reference',
      'elements',
      'element_list',
      'medias',
      'inputs',
    ],
    sendImages(entry),
  ],
  [
    ['video_url', 'video_urls', 'video_list', 'input_video', 'source_video', 'reference_videos'],
    'videos are not accepted as input: send images or text only.',
  ],
  [
    ['audio_url', 'audio_urls', 'audio_file', 'keep_original_sound'],
    'audio is not accepted as input: describe the sound in the prompt.',
  ],
  [['remix_target_id', 'remix_video_id', 'from_task'], 'videos cannot be remixed: create a new one.'],
  [['mask', 'mask_url', 'static_mask', 'dynamic_masks'], 'describe in the prompt which part to change.'],
  [['orientation'], `send aspectRatio, one of ${listed(entry.aspectRatios)}.`],
  [
    ['n_frames', 'num_frames', 'frames', 'video_length'],
    `send seconds, one of ${describeSeconds(entry.seconds)}.`,
  ],
  [
    ['image_size', 'video_size', 'video_width', 'video_height', 'quality', 'hd'],
    `send size, or resolution, one of ${listed(entry.resolutions)}.`,
  ],
  [
    [
      'cfg',
      'cfg_scale',
      'guidance',
      'guidance_scale',
      'num_inference_steps',
      'inference_steps',
      'steps',
      'flow_shift',
      'camera_control',
      'camera_fixed',
      'camerafixed',
      'camera_motion',
      'movement_amplitude',
      'motion_mode',
      'motion_strength',
      'effect_scene',
      'template_id',
      'shot_type',
      'auto_fix',
      'fast_pretreatment',
      'resize_mode',
      'compression_quality',
      'return_last_frame',
    ],
    NO_OPTION,
  ],
  [['generation_type'], 'the images of the request decide it.'],
  [
    [
      'callback_url',
      'call_back_url',
      'webhook_url',
      'webhook',
      'notify_url',
      'notify_hook',
      'webhook_config',
    ],
    'create a webhook endpoint with POST /v1/webhook_endpoints, or poll the task.',
  ],
  [['storage_uri'], 'download the video with GET /v1/videos/{task_id}/content.'],
  [['parameters', 'extra_body', 'generation_config'], FLAT],
  [['model_name', 'req_key'], 'send model.'],
  [['prompt_text', 'positive_prompt'], 'send prompt.'],
];

/** Refused at top level only: in metadata, plain words under these names are the client's own notes. */
export const genericOptions = (entry: VideoModelEntry): Advice => [
  [['content', 'contents', 'media', 'file', 'files'], sendImages(entry)],
  [['input', 'options', 'config', 'provider'], FLAT],
  [['mode', 'type', 'length'], 'send seconds, resolution and images instead.'],
  [['style', 'template', 'motion', 'loop', 'shift', 'concepts'], NO_OPTION],
  [['text'], 'send prompt.'],
  [['callback'], 'create a webhook endpoint with POST /v1/webhook_endpoints, or poll the task.'],
];

/** These belong at top level, and would be without effect in metadata. */
export const TOP_LEVEL_ONLY: Advice = [[['model', 'prompt'], 'send it at top level.']];
