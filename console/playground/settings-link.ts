import { useState } from 'preact/hooks';
import { useWindowEvent } from '../api/hooks.ts';
import { readTabValue, writeTabValue } from '../session/storage.ts';

/** A link with settings has them in its fragment, which browsers do not send to the server. */
const LINK_MARK = '#settings=';

/** The playground that a link opens. */
type Kind = 'video' | 'image';

/** The tab keeps the fragment during a sign-in. */
const KEPT = 'link';

export const keepLink = (): void => {
  if (location.hash.startsWith(LINK_MARK)) writeTabValue(KEPT, location.hash);
};

/** Removes the fragment from the address, so that a reload does not overwrite later changes. */
const takeLink = (kind: Kind): string | undefined => {
  const { hash, pathname, search } = location;
  const link = hash.startsWith(LINK_MARK) ? hash : (readTabValue(KEPT) ?? '');
  if (!link.startsWith(`${LINK_MARK}${kind}&`)) return undefined;
  if (link === hash) history.replaceState(history.state, '', `${pathname}${search}`);
  else writeTabValue(KEPT, '');
  return link;
};

/** The fragment of the link that opened the page, or that was opened later in the same tab. */
export const useLink = (kind: Kind): string | undefined => {
  const [link, setLink] = useState(() => takeLink(kind));
  useWindowEvent('hashchange', () => setLink((known) => takeLink(kind) ?? known));
  return link;
};
