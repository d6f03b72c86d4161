import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { initialTexts as texts } from '../texts/initial-texts.ts';

export const BrandMark = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true" class="brand-mark">
    <rect width="32" height="32" rx="8" />
    <path d="M12 9.6v12.8c0 .8.9 1.3 1.6.9l10.2-6.4c.6-.4.6-1.4 0-1.8L13.6 8.7c-.7-.4-1.6.1-1.6.9Z" />
  </svg>
);

let isFirstPage = true;

let mark = '';
let current = '';

const showTitle = (): void => {
  document.title = `${mark}${current} · ${texts.productName}`;
};

/** Puts a mark before the title of the tab, on all pages. */
export const markTitle = (next: string): void => {
  mark = next;
  if (current !== '') showTitle();
};

type Props = {
  readonly title: string;
  readonly description?: string;
  /** The main action of the page. */
  readonly children?: ComponentChildren;
};

/** Takes the focus after a navigation, so that screen readers start at the top of the new page. */
export const PageTitle = ({ title, description, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  // Before all other effects: those of a page that is rendered twice before the next frame run before its title's.
  useLayoutEffect(() => {
    if (!isFirstPage) {
      scrollTo({ top: 0, behavior: 'instant' });
      heading.current?.focus({ preventScroll: true });
    }
    isFirstPage = false;
  }, []);
  useEffect(() => {
    current = title;
    showTitle();
  }, [title]);
  return (
    <header class="page-title">
      <div class="stack stack-tight">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {description !== undefined && <p class="quiet">{description}</p>}
      </div>
      {children}
    </header>
  );
};
