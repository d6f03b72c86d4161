import { truncate } from '../../functions/platform/domain/text.ts';
import type { VideoObject } from '../../functions/videos/api/video-object.ts';
import { isSameBatch } from '../api/batches.ts';
import { finishedVideos, isUnfinished, videos } from '../api/videos.ts';
import { formatNumber } from '../parts/format.ts';
import { markTitle } from '../parts/page-title.tsx';
import { shownPrompt } from '../parts/video-stage.tsx';
import { NOTICE_MS, notify } from '../session/notices.ts';
import { resultTexts as texts } from '../texts/result-texts.ts';

/**
 * Follows one's own unfinished videos on all pages, also while the tab is hidden, until their batch has ended. Then a
 * notice says so, the title of the tab, and a notification if the person has allowed them.
 */

/** Browsers slow down hidden tabs. */
const POLL_MS = 5000;
const MAX_NAME = 60;

const followed = new Map<string, VideoObject>();
/** Not followed again, for example by a page with older data. */
const ended = new Set<string>();
/** The video that the page shows; undefined on other pages. */
let shownId: string | undefined;
/** Whether the list of recent videos reports changes. */
let isListed = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const running = (): readonly VideoObject[] => [...followed.values()].filter(isUnfinished);

/** Ends that the notice in the corner still shows. */
let announced: readonly { readonly video: VideoObject; readonly at: number }[] = [];

const describeEnd = (batch: readonly VideoObject[], isFailure: boolean): string => {
  const [first] = batch;
  if (first === undefined) return '';
  if (batch.length === 1 && first.id === shownId)
    return isFailure ? texts.video.failed : texts.video.finished;
  const name = truncate(shownPrompt(first), MAX_NAME);
  if (batch.every((video) => isSameBatch(video, first)) && batch.length > 1)
    return (isFailure ? texts.batch.failed : texts.batch.finished)(formatNumber(batch.length), name);
  const count = formatNumber(batch.length);
  if (batch.length > 1) return (isFailure ? texts.recent.severalFailed : texts.recent.severalFinished)(count);
  return (isFailure ? texts.recent.failed : texts.recent.finished)(name);
};

/** One notice for all that end at about the same time. */
const announce = (ended: readonly VideoObject[], isFailure: boolean): void => {
  const [first] = ended;
  if (first === undefined) return;
  const now = Date.now();
  announced = [
    ...announced.filter(({ at, video }) => now - at < NOTICE_MS && (video.status === 'failed') === isFailure),
    ...ended.map((video) => ({ video, at: now })),
  ];
  const shown = announced.map(({ video }) => video);
  const isOnPage = shown.length === 1 && first.id === shownId;
  notify(describeEnd(shown, isFailure), isFailure ? 'bad' : 'good', {
    group: `videos-${isFailure}`,
    ...(isOnPage
      ? {}
      : {
          link: { href: shown.length === 1 ? `/library/${first.id}` : '/library', label: texts.recent.show },
        }),
  });
};

const notifySystem = (title: string): void => {
  if (!document.hidden || !('Notification' in window) || Notification.permission !== 'granted') return;
  try {
    const notification = new Notification(title, { tag: 'videos' });
    notification.onclick = () => {
      focus();
      notification.close();
    };
  } catch {
    // Some phones allow notifications only from service workers.
  }
};

const showTitle = (): void => {
  const count = running().length;
  if (count > 0) markTitle(texts.title.running(formatNumber(count)));
};

const end = (batch: readonly VideoObject[]): void => {
  for (const { id } of batch) {
    followed.delete(id);
    ended.add(id);
  }
  // The button says that a task was cancelled.
  const told = batch.filter(({ error }) => error?.code !== 'cancelled');
  const failed = told.filter(({ status }) => status === 'failed');
  const done = told.filter(({ status }) => status !== 'failed');
  announce(done, false);
  announce(failed, true);
  const [kind, isFailure] = done.length > 0 ? [done, false] : [failed, true];
  if (kind.length > 0) notifySystem(describeEnd(kind, isFailure));
  void finishedVideos.invalidate();
  if (running().length === 0) markTitle(document.hidden && told.length > 0 ? texts.title.ready : '');
};

const poll = async (): Promise<void> => {
  for (const { id } of isListed && !document.hidden ? [] : running()) {
    const entry = videos.entry(id);
    await entry.fetch();
    const { data, error } = entry.snapshot();
    if (data !== undefined && error === null) follow([data]);
    // Deleted, or the session has ended.
    else if (error !== null && 'isTransient' in error && error.isTransient !== true) followed.delete(id);
  }
  schedule();
};

const schedule = (): void => {
  clearTimeout(timer);
  showTitle();
  if (running().length > 0) timer = setTimeout(poll, POLL_MS);
};

/** Reports the state of own videos; those that are unfinished are followed from now on. */
export const follow = (own: readonly VideoObject[]): void => {
  for (const video of own)
    if ((isUnfinished(video) && !ended.has(video.id)) || followed.has(video.id))
      followed.set(video.id, video);
  for (const video of own) {
    const batch = [...followed.values()].filter((other) => isSameBatch(video, other));
    if (batch.some(({ id }) => id === video.id) && !batch.some(isUnfinished)) end(batch);
  }
  schedule();
};

/** The page shows this video and reports changes, until the returned function is called. */
export const followOnPage = (id: string | undefined): (() => void) => {
  [shownId, isListed] = [id, true];
  return () => {
    [shownId, isListed] = [undefined, false];
  };
};

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  // Now the person sees it.
  void finishedVideos.invalidate();
  if (running().length === 0) markTitle('');
  void poll();
});
