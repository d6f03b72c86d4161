import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { Dialog } from '../parts/dialog.tsx';
import { usePreference } from '../parts/preferences.ts';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { NAVIGATION } from './navigation.tsx';

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
  const [isHelpOpen, setIsHelpOpen] = useState(false);
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

  return (
    <Dialog title={texts.shortcuts.title} open={isHelpOpen} onClose={() => setIsHelpOpen(false)}>
      <ShortcutList />
    </Dialog>
  );
};

export const ShortcutList = () => (
  <dl class="pairs">
    {NAVIGATION.map(({ path, label, letter }) => (
      <div key={path}>
        <dt>{label}</dt>
        <dd>
          <kbd>g</kbd> <kbd>{letter}</kbd>
        </dd>
      </div>
    ))}
    {texts.shortcuts.others.map(({ keys, meaning }) => (
      <div key={meaning}>
        <dt>{meaning}</dt>
        <dd>
          <kbd>{keys}</kbd>
        </dd>
      </div>
    ))}
  </dl>
);
