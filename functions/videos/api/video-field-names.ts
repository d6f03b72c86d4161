import { describeSeconds, type VideoModelEntry } from '../../catalogue/domain/models.ts';
import type { Advice } from '../../platform/body/field-names.ts';
import { listed } from '../../platform/domain/errors.ts';

/** The names that clients of other services send, each also in camelCase: what they mean, or what to send instead. */

/** Only names that cannot mean anything else. */
export const SPELLINGS = {
  durationSeconds: ['duration_seconds'],
  aspectRatio: ['aspect_ratio', 'ratio'],
  negativePrompt: ['negative_prompt'],
  seed: ['seeds'],
  n: ['number_of_videos', 'num_videos', 'sample_count'],
  input_reference: [
    'image',
    'image_url',
    'image_uri',
    'image_base64',
    'image_b64',
    'image_file',
    'img_url',
    'input_image',
    'input_image_url',
    'input_image_base64',
    'first_frame',
    'first_frame_image',
    'first_frame_image_url',
    'first_frame_url',
    'first_frame_img',
    'first_frame_base64',
    'first_image',
    'first_image_url',
    'start_image',
    'start_image_url',
    'start_frame',
    'start_frame_image',
    'start_frame_url',
    'head_image',
    'image_head',
    'init_image',
    'prompt_image',
  ],
  last_frame: [
    'last_frame_image',
    'last_frame_image_url',
    'last_frame_url',
    'last_frame_img',
    'last_frame_base64',
    'last_image',
    'last_image_url',
    'end_image',
    'end_image_url',
    'end_frame',
    'end_frame_image',
    'end_frame_url',
    'image_tail',
    'tail_image',
    'tail_image_url',
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

/** These names announce Base64 without the start of a data URI. */
const BASE64_NAMES = ['image_base64', 'imageBase64', 'image_b64', 'imageB64', 'input_image_base64'];
const FRAME_BASE64_NAMES = ['first_frame_base64', 'firstFrameBase64', 'last_frame_base64', 'lastFrameBase64'];

const toDataUri = (value: unknown): unknown =>
  typeof value !== 'string' || value.includes(':') ? value : `data:;base64,${value}`;

export const CONVERSIONS: Readonly<Record<string, (value: unknown) => unknown>> = Object.fromEntries(
  [...BASE64_NAMES, 'inputImageBase64', ...FRAME_BASE64_NAMES].map((name) => [name, toDataUri]),
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
