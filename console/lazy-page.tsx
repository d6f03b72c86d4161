import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { PAGE_STYLES } from './environment.ts';
import { Problem, Waiting } from './parts/feedback.tsx';
import { initialTexts as texts } from './texts/initial-texts.ts';

type Loaded<Props> =
  | { readonly state: 'waiting' }
  | { readonly state: 'ready'; readonly Page: ComponentType<Props> }
  | { readonly state: 'failed' };

let pageStyles: Promise<void> | undefined;

/** Adds the style sheet of the later pages once; after a failure the next call tries again. */
const loadPageStyles = (): Promise<void> => {
  pageStyles ??= new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = PAGE_STYLES;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      pageStyles = undefined;
      reject(new Error('The styles of the page were not loaded'));
    };
    document.head.append(link);
  });
  return pageStyles;
};

/** All pages except the first, with their styles. */
export const lazyPages = async () => {
  try {
    const [pages] = await Promise.all([import('./lazy-pages.ts'), loadPageStyles()]);
    return pages;
  } catch (cause) {
    throw new Error(texts.errors.pageNotLoaded, { cause });
  }
};

/**
 * Loads a page when it is opened. After a deployment the old file is gone, so a failure offers to reload. A part that
 * the page can do without shows neither.
 */
export const lazyPage = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  isPart = false,
): ComponentType<Props> => {
  let cached: Loaded<Props> = { state: 'waiting' };
  return (props) => {
    const [loaded, setLoaded] = useState(cached);
    useEffect(() => {
      if (loaded.state !== 'waiting') return;
      load().then(
        (Page) => {
          cached = { state: 'ready', Page };
          setLoaded(cached);
        },
        () => setLoaded({ state: 'failed' }),
      );
    }, [loaded]);
    if (loaded.state === 'ready') return <loaded.Page {...props} />;
    if (isPart) return null;
    if (loaded.state === 'waiting') return <Waiting />;
    return (
      <Problem
        message={texts.errors.pageNotLoaded}
        action={{ label: texts.actions.reload, run: () => location.reload() }}
      />
    );
  };
};
