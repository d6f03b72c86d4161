import { useEffect, useState } from 'preact/hooks';
import { readFile } from '../api/images.ts';
import { contentPath, contentUrl } from '../api/videos.ts';

const REVOKE_MS = 1000;

/**
 * Enough bytes for the index and the first frame of a video. A browser that is given the whole video with
 * `preload="metadata"` reads a megabyte or more before it stops, which is too much for a page of posters.
 */
const HEAD_BYTES = [96 * 1024, 512 * 1024] as const;

/** The last posters, so that scrolling back loads nothing. */
const heads = new Map<string, Blob>();
const MAX_HEADS = 100;

const remember = (id: string, head: Blob): void => {
  heads.delete(id);
  heads.set(id, head);
  const [oldest] = heads.keys();
  if (heads.size > MAX_HEADS && oldest !== undefined) heads.delete(oldest);
};

/** The begin of a video. Undefined if the browser could not show the frame of all shorter ones; then use the video. */
const fetchHead = async (id: string, attempt: number, signal: AbortSignal): Promise<Blob | undefined> => {
  const bytes = HEAD_BYTES[attempt];
  if (bytes === undefined) return undefined;
  const known = heads.get(id);
  if (known !== undefined && known.size >= bytes) return known;
  const response = await readFile(contentPath(id), { headers: { range: `bytes=0-${bytes - 1}` }, signal });
  const head = new Blob([await response.blob()], { type: 'video/mp4' });
  remember(id, head);
  return head;
};

/** The address of the first frame: a part of the video at first, and the whole video if that is not enough. */
export const useFirstFrame = (id: string, isTurn: boolean, finish: () => void) => {
  const [attempt, setAttempt] = useState(0);
  const [url, setUrl] = useState<string>();
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (!isTurn) return;
    const controller = new AbortController();
    let created: string | undefined;
    fetchHead(id, attempt, controller.signal).then(
      (head) => {
        if (controller.signal.aborted) return;
        created = head && URL.createObjectURL(head);
        // Without a time, some browsers show nothing.
        setUrl(`${created ?? contentUrl(id)}#t=0.001`);
      },
      () => {
        if (controller.signal.aborted) return;
        finish();
        setIsBroken(true);
      },
    );
    return () => {
      controller.abort();
      setUrl(undefined);
      // A picture that is loading when its page is left would be reported as missing.
      if (created !== undefined) setTimeout(URL.revokeObjectURL, REVOKE_MS, created);
    };
  }, [id, isTurn, attempt]);
  const tryMore = (): void => {
    if (url?.startsWith('blob:') === true) {
      setAttempt(attempt + 1);
      return;
    }
    finish();
    setIsBroken(true);
  };
  return { url, isBroken, tryMore };
};
