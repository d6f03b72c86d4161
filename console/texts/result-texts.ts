import { initialTexts } from './initial-texts.ts';

/** The texts of the results of the video playground, which load right after the first page, and those of that page. */
export const resultTexts = {
  ...initialTexts,

  video: {
    ...initialTexts.video,
    comeBack: 'You can leave this page and come back.',
    finished: 'The video is ready.',
    failed: 'The video failed.',
    cancelled: 'The video was cancelled and is not charged.',
    openTask: 'Open the task',
    continue: 'Continue',
    elapsed: (time: string) => `${time} elapsed`,
    expired: 'The retention period has ended and the file was deleted.',
    playerBroken: 'The video cannot be played. Try downloading it.',
  },

  estimate: {
    whole: (time: string, count: string) =>
      count === '1' ? `The last one took ${time}.` : `Usually takes ${time}, based on the last ${count}.`,
    left: (time: string) => `About ${time} left.`,
    soon: 'Ready in a moment.',
    longer: 'This takes longer than usual.',
    none: 'No estimate yet for these options.',
  },

  /** Why a task is still queued. */
  queue: {
    starting: 'Starts in a moment.',
    account_share: 'Waiting for other videos of this account to start.',
    upstream_retry: 'The generator is busy. The service keeps trying.',
    upstream_limit: 'Waiting in line, because the generator’s quota is used up for now.',
    workers: 'Waiting in line, because the service is busy.',
    position: (position: string) => `Position ${position} among all accounts.`,
    nextAttempt: (time: string) => `Next attempt at ${time}.`,
  },

  title: {
    running: (count: string) => `(${count}) `,
    ready: '✓ ',
  },

  notifications: {
    allow: 'Notify me when it is ready',
    denied: 'Your browser blocks notifications from this site. You can allow them in its site settings.',
  },

  scope: {
    legend: 'Show',
    /** Without a person, only the session is known. */
    mine: (isPerson: boolean) => (isPerson ? 'Mine' : 'This session'),
    account: 'Account',
  },

  recent: {
    title: 'Recent videos',
    noneOfYours: 'You have no videos yet.',
    item: (status: string, prompt: string) => `${status}: ${prompt}`,
    expired: 'Expired',
    finished: (name: string) => `“${name}” is ready.`,
    failed: (name: string) => `“${name}” failed.`,
    severalFinished: (count: string) => `${count} videos are ready.`,
    severalFailed: (count: string) => `${count} videos failed.`,
    show: 'Show',
    compare: 'Compare two',
  },

  batch: {
    title: (count: string) => `${count} variations`,
    finished: (count: string, name: string) => `${count} variations of “${name}” are ready.`,
    failed: (count: string, name: string) => `${count} variations of “${name}” failed.`,
    all: (count: string) => `Show all ${count} variations`,
    play: 'Play all',
    pause: 'Pause all',
    variation: (number: number) => `Variation ${number}`,
    actionOn: (action: string, name: string) => `${action}: ${name}`,
    keep: 'Keep this one',
    kept: 'Kept',
    undo: 'Choose another',
    open: 'Enlarge',
    deleteOthers: (count: string) => (count === '1' ? 'Delete the other one' : `Delete the other ${count}`),
    deleteText: 'This cannot be undone. Their charge records stay.',
    deleted: (count: string) => (count === '1' ? '1 video was deleted.' : `${count} videos were deleted.`),
    notDeleted: (count: string) =>
      count === '1'
        ? '1 video was not deleted. Videos that are being generated cannot be deleted yet.'
        : `${count} videos were not deleted. Videos that are being generated cannot be deleted yet.`,
  },
} as const;
