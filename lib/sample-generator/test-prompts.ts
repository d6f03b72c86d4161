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
 * What a prompt can ask for, written anywhere in it: `A cat [sample: delay 20s, error 503]`.
 * What heals fails once, or as often as `times N` says, and then succeeds; with `always` it never does.
 */
export const TEST_PROMPTS = [
  { name: 'delay', syntax: 'delay 20s', media: BOTH, meaning: 'The result takes at least this long.' },
  {
    name: 'slow-start',
    syntax: 'slow start 5s',
    media: BOTH,
    meaning: 'The answer to the creating request itself comes this late.',
  },
  {
    name: 'error',
    syntax: 'error 500 [times N | always]',
    media: BOTH,
    meaning:
      'The creating request is refused: 400, 402, 403 or 404 every time; 408, 429, 500, 502, 503 (an HTML page) or 504 once, then it succeeds.',
  },
  {
    name: 'rate-limit',
    syntax: 'error 429 retry 3s [times N | always]',
    media: BOTH,
    meaning: 'Too many requests, with RetryInfo that names the delay.',
  },
  {
    name: 'daily-quota',
    syntax: 'error 429 per-day',
    media: BOTH,
    meaning: 'The quota of the day is used up: 429 every time.',
  },
  {
    name: 'reset',
    syntax: 'reset [times N | always]',
    media: BOTH,
    meaning: 'The connection breaks before an answer to the creating request.',
  },
  {
    name: 'hang',
    syntax: 'hang [times N | always]',
    media: BOTH,
    meaning: 'The creating request is never answered.',
  },
  {
    name: 'poll-error',
    syntax: 'poll error 503 [times N | always]',
    media: VIDEO,
    meaning: 'Asking for the operation fails; the codes are those of `error`.',
  },
  {
    name: 'vanish',
    syntax: 'poll error 404',
    media: VIDEO,
    meaning: 'The operation is unknown as soon as it is asked for.',
  },
  {
    name: 'poll-reset',
    syntax: 'poll reset [times N | always]',
    media: VIDEO,
    meaning: 'The connection breaks when the operation is asked for.',
  },
  {
    name: 'poll-hang',
    syntax: 'poll hang [times N | always]',
    media: VIDEO,
    meaning: 'Asking for the operation is never answered.',
  },
  {
    name: 'filtered',
    syntax: 'filtered',
    media: VIDEO,
    meaning: 'The operation ends with its video withheld by the safety filter.',
  },
  {
    name: 'done-with-error',
    syntax: 'done with error 13',
    media: VIDEO,
    meaning: 'The operation ends with this google.rpc code.',
  },
  {
    name: 'done-without-video',
    syntax: 'done without video',
    media: VIDEO,
    meaning: 'The operation ends well, but holds no video.',
  },
  {
    name: 'never-done',
    syntax: 'never done',
    media: VIDEO,
    meaning: 'The operation stays pending for ever.',
  },
  {
    name: 'samples',
    syntax: 'samples 2',
    media: VIDEO,
    meaning: 'The operation ends with this many videos (1 to 4).',
  },
  {
    name: 'inline-video',
    syntax: 'inline video',
    media: VIDEO,
    meaning: 'The video is inside the operation, in Base64, not at an address.',
  },
  {
    name: 'file-error',
    syntax: 'file error 403 [times N | always]',
    media: VIDEO,
    meaning: 'The download is refused once, then succeeds; any code of `error`.',
  },
  {
    name: 'file-reset',
    syntax: 'file reset [times N | always]',
    media: VIDEO,
    meaning: 'The connection breaks before the download begins.',
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
    meaning: 'The connection breaks in the middle of the download.',
  },
  {
    name: 'file-not-mp4',
    syntax: 'file not mp4',
    media: VIDEO,
    meaning: 'The download is a web page, with status 200.',
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
      'The video or image is padded to this many megabytes (up to 2000 for a video, 50 for an image), and still plays.',
  },
  {
    name: 'blocked',
    syntax: 'blocked [IMAGE_SAFETY | PROHIBITED_CONTENT | NO_IMAGE]',
    media: IMAGE,
    meaning: 'The prompt is blocked, or the answer ends without parts for the given reason.',
  },
  { name: 'text-only', syntax: 'text only', media: IMAGE, meaning: 'The answer is text without an image.' },
  {
    name: 'drafts',
    syntax: 'drafts 2',
    media: IMAGE,
    meaning: 'This many draft images (1 to 4) come before the final one, marked as thoughts.',
  },
] as const satisfies readonly TestPrompt[];

export type TestPromptName = (typeof TEST_PROMPTS)[number]['name'];
