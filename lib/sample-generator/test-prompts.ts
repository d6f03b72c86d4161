type Medium = 'video' | 'image';

type TestPrompt = {
  readonly name: string;
  readonly syntax: string;
  readonly meaning: string;
  readonly media: readonly Medium[];
};

const BOTH = ['video', 'image'] as const;
const VIDEO = ['video'] as const;
const IMAGE = ['image'] as const;

/**
 * The test prompts that a prompt may contain anywhere: `A cat [sample: delay 20s, error 503]`.
 * A transient failure occurs once, or `times N`, before the request succeeds; with `always` it never succeeds.
 */
export const TEST_PROMPTS = [
  { name: 'delay', syntax: 'delay 20s', media: BOTH, meaning: 'The result takes at least this long.' },
  {
    name: 'slow-start',
    syntax: 'slow start 5s',
    media: BOTH,
    meaning: 'The response to the create request is delayed by this long.',
  },
  {
    name: 'error',
    syntax: 'error 500 [times N | always]',
    media: BOTH,
    meaning:
      "The create request fails: every time with 400, 401, 402, 403 or 404; once with 408, 429, 500, 502, 503 or 504, then it succeeds. Google's protocols answer 502 and 503 with an HTML page.",
  },
  {
    name: 'busy',
    syntax: 'busy [times N | always]',
    media: BOTH,
    meaning: 'The create request is rate limited, as with `error 429`.',
  },
  {
    name: 'rate-limit',
    syntax: 'error 429 retry 3s [times N | always]',
    media: BOTH,
    meaning: 'The create request is rate limited; RetryInfo or Retry-After names this delay.',
  },
  {
    name: 'daily-quota',
    syntax: 'error 429 per-day',
    media: BOTH,
    meaning: 'The daily quota is used up: 429 every time.',
  },
  {
    name: 'reset',
    syntax: 'reset [times N | always]',
    media: BOTH,
    meaning: 'The connection is reset before the create request is answered.',
  },
  {
    name: 'hang',
    syntax: 'hang [times N | always]',
    media: BOTH,
    meaning: 'The create request is never answered.',
  },
  {
    name: 'poll-error',
    syntax: 'poll error 503 [times N | always]',
    media: VIDEO,
    meaning: 'Polling the operation fails, with any code of `error`.',
  },
  {
    name: 'vanish',
    syntax: 'poll error 404',
    media: VIDEO,
    meaning: 'Polling reports that the operation does not exist.',
  },
  {
    name: 'poll-reset',
    syntax: 'poll reset [times N | always]',
    media: VIDEO,
    meaning: 'The connection is reset when the operation is polled.',
  },
  {
    name: 'poll-hang',
    syntax: 'poll hang [times N | always]',
    media: VIDEO,
    meaning: 'Polling the operation is never answered.',
  },
  {
    name: 'filtered',
    syntax: 'filtered',
    media: VIDEO,
    meaning: 'The operation ends without the video because the safety filter withheld it.',
  },
  {
    name: 'done-with-error',
    syntax: 'done with error 13',
    media: VIDEO,
    meaning: 'The operation fails: with this google.rpc code, where the protocol has such codes.',
  },
  {
    name: 'done-without-video',
    syntax: 'done without video',
    media: VIDEO,
    meaning: 'The operation succeeds but contains no video.',
  },
  {
    name: 'never-done',
    syntax: 'never done',
    media: VIDEO,
    meaning: 'The operation never finishes.',
  },
  {
    name: 'samples',
    syntax: 'samples 2',
    media: VIDEO,
    meaning: 'The operation returns this many videos (1–4); with the Videos API, one.',
  },
  {
    name: 'inline-video',
    syntax: 'inline video',
    media: VIDEO,
    meaning: "The operation contains the video in Base64 instead of a URL; only in Google's protocols.",
  },
  {
    name: 'deliver-resolution',
    syntax: 'deliver 720p',
    media: VIDEO,
    meaning: 'The video has this resolution (720p, 1080p or 4k), whatever was requested.',
  },
  {
    name: 'deliver-seconds',
    syntax: 'deliver 4s',
    media: VIDEO,
    meaning: 'The video is this long (1–8 whole seconds), whatever was requested.',
  },
  {
    name: 'status',
    syntax: 'status processing',
    media: VIDEO,
    meaning: 'Until it ends, the video has this status; only in the Videos API.',
  },
  {
    name: 'error-as-text',
    syntax: 'error as text',
    media: VIDEO,
    meaning: 'The `error` of a failed video is a text instead of an object; only in the Videos API.',
  },
  {
    name: 'error-as-null',
    syntax: 'error as null',
    media: VIDEO,
    meaning: 'The `error` of a failed video is null; only in the Videos API.',
  },
  {
    name: 'file-error',
    syntax: 'file error 403 [times N | always]',
    media: VIDEO,
    meaning: 'The download fails, with any code of `error`; 403 is also transient.',
  },
  {
    name: 'file-reset',
    syntax: 'file reset [times N | always]',
    media: VIDEO,
    meaning: 'The connection is reset before the download begins.',
  },
  {
    name: 'file-hang',
    syntax: 'file hang [times N | always]',
    media: VIDEO,
    meaning: 'The download is never answered.',
  },
  {
    name: 'file-truncated',
    syntax: 'file truncated [times N | always]',
    media: VIDEO,
    meaning: 'The connection is reset in the middle of the download.',
  },
  {
    name: 'file-not-mp4',
    syntax: 'file not mp4',
    media: VIDEO,
    meaning: 'The download returns a web page with status 200.',
  },
  {
    name: 'file-redirect',
    syntax: 'file redirect',
    media: VIDEO,
    meaning: 'The download redirects to another host, which must not see the key.',
  },
  {
    name: 'size',
    syntax: 'size 25MB',
    media: BOTH,
    meaning:
      'The file is padded to this many megabytes (at most 2000 for a video, 50 for an image) and stays valid.',
  },
  {
    name: 'credentials',
    syntax: 'credentials',
    media: BOTH,
    meaning:
      'The file has content credentials (C2PA): a box in an MP4, a segment in a JPEG. Their signature is not real.',
  },
  {
    name: 'blocked',
    syntax: 'blocked [IMAGE_SAFETY | PROHIBITED_CONTENT | NO_IMAGE]',
    media: IMAGE,
    meaning: 'The prompt is blocked, or the response contains no parts for the given reason.',
  },
  { name: 'text-only', syntax: 'text only', media: IMAGE, meaning: 'The response is text without an image.' },
  {
    name: 'drafts',
    syntax: 'drafts 2',
    media: IMAGE,
    meaning:
      "This many draft images (1–4), marked as thoughts, precede the final one; only in Google's protocols.",
  },
  {
    name: 'truncated-image',
    syntax: 'truncated image',
    media: IMAGE,
    meaning: 'The second half of the image is missing.',
  },
] as const satisfies readonly TestPrompt[];

export type TestPromptName = (typeof TEST_PROMPTS)[number]['name'];
