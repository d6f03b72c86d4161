/** The texts of the first page and of shared parts; all others load with their pages. */
export const initialTexts = {
  productName: 'Media generation',

  navigation: {
    label: 'Pages',
    skip: 'Skip to content',
    more: 'More',
    video: 'Video',
    images: 'Images',
    library: 'Library',
    usage: 'Usage',
    keys: 'API keys',
    webhooks: 'Webhooks',
    people: 'People',
    audit: 'Audit log',
    docs: 'Docs',
    settings: 'Settings',
  },

  account: {
    switch: 'Switch account',
    roles: { admin: 'Admin', member: 'Member', viewer: 'Viewer' },
    link: 'Sign-in link',
  },

  /** Why somebody below the role cannot do something. */
  permissions: {
    viewer: '',
    member: 'Your role is viewer: you cannot create or change anything. An admin can change your role.',
    admin: 'Only admins of this account can do this.',
  },

  budget: {
    near: (used: string, limit: string) => `At least 80% of the monthly budget is used: ${used} of ${limit}.`,
    usedUp: (used: string, limit: string) =>
      `The monthly budget is used up: ${used} of ${limit}. New videos and images are rejected until it resets.`,
    usage: 'Show usage',
    exceeds: (action: string, left: string) => `${action}: exceeds the ${left} left`,
  },

  actions: {
    cancel: 'Cancel',
    copied: 'Copied',
    copy: 'Copy',
    dismiss: 'Dismiss',
    download: 'Download',
    reload: 'Reload the page',
    remove: (name: string) => `Remove ${name}`,
    signOut: 'Sign out',
    tryAgain: 'Try again',
    useAgain: 'Use again',
  },

  states: {
    loading: 'Loading…',
    queued: 'Queued',
    in_progress: 'Generating',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    none: '–',
    offline: 'No connection to the service. Trying again…',
  },

  errors: {
    unexplained: (status: number) => `The service returned status ${status} without an explanation.`,
    noConnection: 'The service cannot be reached. This page continues as soon as it is back.',
    notCopied: 'The browser does not allow this page to copy. Select the text and copy it yourself.',
    pageNotLoaded: 'This part of the console could not be loaded. The console may have been updated.',
    field: 'Field',
    code: 'Code',
    requestId: 'Request ID',
  },

  form: {
    prompt: 'Prompt',
    submitKeys: 'Ctrl ⏎',
    promptHint: 'Describe the scene, including sound, speech and music.',
    recentPrompts: 'Recent prompts',
    copyLink: 'Copy as link',
    promptMissing: 'Enter a prompt.',
    promptTooLong: (most: string) => `The prompt is longer than ${most} characters.`,
    model: 'Model',
    modelPrice: (price: string) => `${price} per second, at any resolution`,
    mode: 'Start from',
    seconds: 'Length',
    secondsValue: (seconds: number) => `${seconds} s`,
    secondsFixed: (reason: string, seconds: string) => `${reason} requires ${seconds} seconds.`,
    resolution: 'Resolution',
    aspectRatio: 'Aspect ratio',
    ratios: { '16:9': 'Landscape', '9:16': 'Portrait' },
    more: 'More options',
    negativePrompt: 'Negative prompt',
    negativePromptHint: 'Things that should not appear.',
    negativePromptDisabled: 'Not supported with reference images.',
    seed: 'Seed',
    seedHint: 'The same seed and settings give similar results. Leave empty for a random seed.',
    seedInvalid: (most: string) => `Enter a whole number from 0 to ${most}.`,
    imageTypes: (most: string) => `JPEG, PNG or WebP, up to ${most} in total`,
    drop: 'Drop, paste or choose an image',
    dropMore: 'Add an image',
    dropAnywhere: 'Drop images anywhere to add them',
    tooManyImages: (name: string, most: number) =>
      `${name} was not added: ${most === 1 ? 'only 1 image is' : `at most ${most} images are`} accepted here. Remove one first.`,
    full: (most: number) => `${most} images, the most that are accepted. Remove one to add another.`,
    cropped: (ratio: string) => `Cropped to ${ratio}`,
    variations: 'Variations',
    variationsHint: 'Each variation is a video of its own.',
    imageMissing: (name: string) => `Add the ${name}.`,
    shrink: (name: string) => `Shrink ${name}`,
    shrinking: 'Shrinking…',
    shrunk: (name: string, before: string, after: string) => `${name} was shrunk from ${before} to ${after}.`,
    notShrunk: (name: string) => `${name} cannot be shrunk in this browser.`,
    imagesNotKept: 'This browser cannot store the images. They are lost when you close the page.',
  },

  modes: {
    text: 'Text',
    first_frame: 'First frame',
    first_and_last_frame: 'First and last',
    references: 'References',
  },

  roleLabels: {
    first: () => 'First frame',
    last: () => 'Last frame',
    references: (most: number) => `Reference images, up to ${most}`,
  },

  roles: { first: 'first frame', last: 'last frame', references: 'reference images' },

  video: {
    title: 'Video playground',
    description: 'Create a video with sound from text and images.',
    generate: 'Generate',
    generateFor: (price: string) => `Generate for ${price}`,
    samplePrice: 'Sample price. Nothing is charged.',
    generateSeveral: (count: number) => `Generate ${count}`,
    generateSeveralFor: (count: number, price: string) => `Generate ${count} for ${price}`,
    seed: (seed: number | string) => `Seed ${seed}`,
    sending: 'Sending…',
    uploading: (percent: number) => `Uploading images… ${percent}%`,
    result: 'Result',
    code: 'Code',
    noPrompt: 'No prompt',
    emptyTitle: 'Your video will appear here',
    emptyText: 'You can leave this page and come back while it is generated.',
    example: 'Or start with an example',
    examples: [
      'A paper boat drifts across a quiet lake at sunrise, soft piano',
      'A fox trots through fresh snow at dusk, its breath visible, wind in the pines',
      'Close-up of coffee poured into a glass cup, steam rising, morning light, café murmur',
    ],
    lengthAndSize: (seconds: string, size: string) => `${seconds} s · ${size}`,
  },

  testPrompts: {
    title: 'Test a failure',
    hint: 'This service uses the sample generator, which can fail on purpose.',
    none: 'None: create a normal video',
    choices: [
      { prompt: 'filtered', label: 'The safety filter blocks the video' },
      { prompt: 'error 400', label: 'The generator rejects the request' },
      { prompt: 'error 429 per-day', label: 'The daily quota of the generator is used up' },
      { prompt: 'error 503 times 2', label: 'The generator is overloaded twice, then works' },
      { prompt: 'done with error 13', label: 'The generation ends with an internal error' },
      { prompt: 'done without video', label: 'The generation ends without a video' },
      { prompt: 'file truncated', label: 'The download of the video breaks off once' },
      { prompt: 'delay 30s', label: 'The generation takes 30 seconds longer' },
      { prompt: 'never done', label: 'The generation never ends' },
    ],
  },

  task: {
    notFoundText: 'It was deleted or belongs to another account.',
    whatToDo: 'What to do',
  },
} as const;
