import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { usePreference } from '../parts/storage.ts';
import { lazyPage, lazyPages } from './lazy-page.tsx';
import { NAVIGATION } from './navigation.tsx';

const ShortcutHelp = lazyPage(async () => (await lazyPages()).ShortcutHelp);

const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLElement>('[data-search]');
  field?.focus();
  return field !== null;
};

/** `g` and a letter, `/` and `?`, except while typing or if switched off in the settings. */
export const Shortcuts = () => {
  const [, navigate] = useLocation();
  const [preference] = usePreference('shortcuts');
  // Undefined until it was opened once, because it loads later.
  const [isHelpOpen, setIsHelpOpen] = useState<boolean>();
  const pressedGAt = useRef(0);

  useEffect(() => {
    if (preference === 'off') return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      const followsG = Date.now() - pressedGAt.current < SEQUENCE_MS;
      pressedGAt.current = event.key === 'g' ? Date.now() : 0;
      const page = followsG ? NAVIGATION.find(({ letter }) => letter === event.key) : undefined;
      if (page !== undefined) navigate(page.path);
      else if (event.key === '?') setIsHelpOpen(true);
      else if (event.key !== '/' || !focusSearch()) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [preference, navigate]);

  if (isHelpOpen === undefined) return null;
  return <ShortcutHelp open={isHelpOpen} onClose={() => setIsHelpOpen(false)} />;
};
