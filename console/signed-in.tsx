import { CircleAlert, X } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, Redirect, Route, Switch, useLocation, useSearch } from 'wouter-preact';
import { ACCESS_REMOVED } from '../functions/identity/domain/roles.ts';
import { serverNow } from './api/clock.ts';
import { ApiError } from './api/errors.ts';
import { useWindowEvent } from './api/hooks.ts';
import { useSession } from './api/session.ts';
import { lazyPage, lazyPages } from './lazy-page.tsx';
import { IconButton } from './parts/buttons.tsx';
import { LoadState } from './parts/feedback.tsx';
import { formatMoney } from './parts/format.ts';
import { keepLink } from './playground/settings-link.ts';
import { clearNotices } from './session/notices.ts';
import {
  hasSessionEnded,
  noteSignIn,
  SessionContext,
  saveReturnPath,
  useCurrentSession,
} from './session/session.ts';
import { usePreference } from './session/storage.ts';
import { BottomNavigation, isWithin, OPEN_PALETTE, SideNavigation, usePages } from './shell/navigation.tsx';
import { initialTexts as texts } from './texts/initial-texts.ts';
import { VideoPlayground } from './video/video-playground.tsx';

/** By then the first page is rendered. */
const PRELOAD_DELAY_MS = 1500;

/** The pages that load later, by their paths. */
const ROUTES = [
  ['/playground/images', lazyPage(async () => (await lazyPages()).ImagePlayground)],
  ['/playground/storyboard', lazyPage(async () => (await lazyPages()).Storyboard)],
  ['/library', lazyPage(async () => (await lazyPages()).Library)],
  ['/library/:id', lazyPage(async () => (await lazyPages()).ItemDetail)],
  ['/usage', lazyPage(async () => (await lazyPages()).Usage)],
  ['/keys', lazyPage(async () => (await lazyPages()).Keys)],
  ['/connect', lazyPage(async () => (await lazyPages()).Connect)],
  ['/webhooks', lazyPage(async () => (await lazyPages()).Webhooks)],
  ['/webhooks/:id', lazyPage(async () => (await lazyPages()).WebhookDetail)],
  ['/people', lazyPage(async () => (await lazyPages()).People)],
  ['/audit', lazyPage(async () => (await lazyPages()).AuditLog)],
  ['/docs', lazyPage(async () => (await lazyPages()).Docs)],
  ['/settings', lazyPage(async () => (await lazyPages()).Settings)],
  // Any other address.
  ['*', lazyPage(async () => (await lazyPages()).NotFound)],
] as const;

const Palette = lazyPage(async () => (await lazyPages()).Palette);
const ShortcutHelp = lazyPage(async () => (await lazyPages()).ShortcutHelp);

/** The UTC month such as `2026-01`, for which the budget counts. */
const month = (): string => new Date(serverNow()).toISOString().slice(0, 7);

/** At 80% of the budget it can be closed until next month; at 100% it stays. */
const BudgetBanner = () => {
  const { project_id, budget } = useCurrentSession();
  const [closed, close] = usePreference(`budget-notice.${project_id}`);
  if (budget === null || budget.threshold === null) return null;
  const isUsedUp = budget.threshold === 100;
  if (!isUsedUp && closed === month()) return null;
  const currency = budget.currency.toUpperCase();
  const [used, limit] = [formatMoney(budget.used, currency), formatMoney(budget.limit, currency)];
  return (
    <div class={`line banner ${isUsedUp ? 'banner-bad' : ''}`} role="status">
      <CircleAlert size={18} aria-hidden />
      <p>
        {isUsedUp ? texts.budget.usedUp(used, limit) : texts.budget.near(used, limit)}{' '}
        <Link href="/usage">{texts.budget.usage}</Link>
      </p>
      {!isUsedUp && <IconButton icon={X} aria-label={texts.actions.dismiss} onClick={() => close(month())} />}
    </div>
  );
};

/** How soon a letter must follow the `g`. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));

const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLElement>('[data-search]');
  field?.focus();
  return field !== null;
};

/** Opened by Ctrl+K, also while typing, unless shortcuts are switched off, and from the navigation. */
const CommandPalette = () => {
  const [preference] = usePreference('shortcuts');
  // Undefined until it was opened once, because it loads later.
  const [isOpen, setIsOpen] = useState<boolean>();
  useEffect(() => {
    const open = (): void => setIsOpen(true);
    document.addEventListener(OPEN_PALETTE, open);
    return () => document.removeEventListener(OPEN_PALETTE, open);
  }, []);
  useWindowEvent('keydown', (event) => {
    if (preference === 'off' || event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (document.querySelector('dialog[open]') === null) setIsOpen(true);
  });
  return isOpen === undefined ? null : <Palette open={isOpen} onClose={() => setIsOpen(false)} />;
};

/** `g` and a letter, `/` and `?`, except while typing or if switched off in the settings. */
const Shortcuts = () => {
  const [, navigate] = useLocation();
  const [preference] = usePreference('shortcuts');
  const pages = usePages();
  // Undefined until it was opened once, because it loads later.
  const [isHelpOpen, setIsHelpOpen] = useState<boolean>();
  const pressedGAt = useRef(0);

  useWindowEvent('keydown', (event) => {
    if (preference === 'off' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    if (document.querySelector('dialog[open]') !== null) return;
    const followsG = Date.now() - pressedGAt.current < SEQUENCE_MS;
    pressedGAt.current = event.key === 'g' ? Date.now() : 0;
    const page = followsG ? pages.find(({ letter }) => letter === event.key) : undefined;
    if (page !== undefined) navigate(page.path);
    else if (event.key === '?') setIsHelpOpen(true);
    else if (event.key !== '/' || !focusSearch()) return;
    event.preventDefault();
  });

  if (isHelpOpen === undefined) return null;
  return <ShortcutHelp open={isHelpOpen} onClose={() => setIsHelpOpen(false)} />;
};

const RedirectToSignIn = ({ error }: { readonly error: Error }) => {
  const [location, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    clearNotices();
    keepLink();
    saveReturnPath(search === '' ? location : `${location}?${search}`);
    const reason = error.message === ACCESS_REMOVED ? '?removed' : hasSessionEnded() ? '?ended' : '';
    navigate(`/sign-in${reason}`, { replace: true });
  }, [location, search, navigate, error]);
  return null;
};

/** The pages of features that the deployment leaves out do not exist. */
const Pages = () => {
  const pages = usePages();
  return (
    <Switch>
      <Route path="/">
        <Redirect to="/playground/video" replace />
      </Route>
      <Route path="/playground/video">
        <VideoPlayground />
      </Route>
      {ROUTES.filter(([path]) => path === '*' || pages.some((page) => isWithin(path, page.path))).map(
        ([path, Page]) => (
          <Route key={path} path={path}>
            <Page />
          </Route>
        ),
      )}
    </Switch>
  );
};

/** All pages except sign-in; without a session they redirect to it. */
export const SignedIn = () => {
  const query = useSession();
  const { data: session, error } = query;
  const [location] = useLocation();
  useEffect(() => {
    if (session !== undefined && error === null) noteSignIn();
  }, [session, error]);
  useEffect(() => {
    // If this fails, opening a page tries again and shows the error.
    const isFirst = location === '/' || location === '/playground/video';
    const timer = setTimeout(() => lazyPages().catch(() => {}), isFirst ? PRELOAD_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, []);
  if (error instanceof ApiError && error.status === 401) return <RedirectToSignIn error={error} />;
  if (session === undefined)
    return (
      <main class="alone">
        <LoadState {...query} />
      </main>
    );
  return (
    <SessionContext.Provider value={session}>
      <a class="skip-link" href="#main">
        {texts.navigation.skip}
      </a>
      <div class="shell">
        <SideNavigation />
        <main id="main" class="main" tabIndex={-1}>
          <BudgetBanner />
          <Pages />
        </main>
        <BottomNavigation />
      </div>
      <Shortcuts />
      <CommandPalette />
    </SessionContext.Provider>
  );
};
