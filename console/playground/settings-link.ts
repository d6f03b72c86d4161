import { useEffect, useState } from 'preact/hooks';

/** A link with settings has them in its fragment, which browsers do not send to the server. */
const LINK_MARK = '#settings=';

/** The playground that a link opens. */
type Kind = 'video' | 'image';

/** The tab keeps the fragment during a sign-in. */
const KEPT = 'console.link';

export const keepLink = (): void => {
  if (!location.hash.startsWith(LINK_MARK)) return;
  try {
    sessionStorage.setItem(KEPT, location.hash);
  } catch {
    // The browser refuses storage: the link must be opened again.
  }
};

const readKept = (): string => {
  try {
    return sessionStorage.getItem(KEPT) ?? '';
  } catch {
    return '';
  }
};

/** Removes the fragment from the address, so that a reload does not overwrite later changes. */
const takeLink = (kind: Kind): string | undefined => {
  const { hash, pathname, search } = location;
  const link = hash.startsWith(LINK_MARK) ? hash : readKept();
  if (!link.startsWith(`${LINK_MARK}${kind}&`)) return undefined;
  if (link === hash) history.replaceState(history.state, '', `${pathname}${search}`);
  else sessionStorage.removeItem(KEPT);
  return link;
};

/** The fragment of the link that opened the page, or that was opened later in the same tab. */
export const useLink = (kind: Kind): string | undefined => {
  const [link, setLink] = useState(() => takeLink(kind));
  useEffect(() => {
    const update = (): void => setLink((known) => takeLink(kind) ?? known);
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, [kind]);
  return link;
};
