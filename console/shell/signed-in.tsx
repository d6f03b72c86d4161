import { useEffect } from 'preact/hooks';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter-preact';
import { ApiError } from '../api/errors.ts';
import { useSession } from '../api/session.ts';
import { ErrorProblem, Waiting } from '../parts/feedback.tsx';
import { VideoPlayground } from '../playground/video-playground.tsx';
import { initialTexts as texts } from '../texts/initial-texts.ts';
import { BudgetBanner } from './budget-banner.tsx';
import { lazyPage, lazyPages } from './lazy-page.tsx';
import { BottomNavigation, SideNavigation } from './navigation.tsx';
import { hasSessionEnded, noteSignIn, SessionContext, saveReturnPath } from './session.ts';
import { Shortcuts } from './shortcuts.tsx';

/** By then the first page is rendered. */
const PRELOAD_DELAY_MS = 1500;

const Library = lazyPage(async () => (await lazyPages()).Library);
const ItemDetail = lazyPage(async () => (await lazyPages()).ItemDetail);
const Keys = lazyPage(async () => (await lazyPages()).Keys);
const ImagePlayground = lazyPage(async () => (await lazyPages()).ImagePlayground);
const Usage = lazyPage(async () => (await lazyPages()).Usage);
const Webhooks = lazyPage(async () => (await lazyPages()).Webhooks);
const WebhookDetail = lazyPage(async () => (await lazyPages()).WebhookDetail);
const People = lazyPage(async () => (await lazyPages()).People);
const AuditLog = lazyPage(async () => (await lazyPages()).AuditLog);
const Docs = lazyPage(async () => (await lazyPages()).Docs);
const Settings = lazyPage(async () => (await lazyPages()).Settings);
const NotFound = lazyPage(async () => (await lazyPages()).NotFound);
/** In a file of its own, because the first page shows it at once. */
const RecentVideos = lazyPage(async () => (await import('../playground/recent-videos.tsx')).RecentVideos);
const VideoCodePanel = lazyPage(async () => (await lazyPages()).VideoCodePanel);

const RedirectToSignIn = () => {
  const [location, navigate] = useLocation();
  const search = useSearch();
  useEffect(() => {
    saveReturnPath(search === '' ? location : `${location}?${search}`);
    navigate(hasSessionEnded() ? '/sign-in?ended' : '/sign-in', { replace: true });
  }, [location, search, navigate]);
  return null;
};

/** All pages except sign-in; without a session they redirect to it. */
export const SignedIn = () => {
  const { data: session, error, refetch } = useSession();
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
  if (error instanceof ApiError && error.status === 401) return <RedirectToSignIn />;
  if (session === undefined)
    return (
      <main class="alone">
        {error === null ? <Waiting /> : <ErrorProblem error={error} retry={refetch} />}
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
          <Switch>
            <Route path="/">
              <Redirect to="/playground/video" replace />
            </Route>
            <Route path="/playground/video">
              <VideoPlayground CodePanel={VideoCodePanel} RecentVideos={RecentVideos} />
            </Route>
            <Route path="/playground/images">
              <ImagePlayground />
            </Route>
            <Route path="/library">
              <Library />
            </Route>
            <Route path="/library/:id">
              <ItemDetail />
            </Route>
            <Route path="/usage">
              <Usage />
            </Route>
            <Route path="/keys">
              <Keys />
            </Route>
            <Route path="/webhooks">
              <Webhooks />
            </Route>
            <Route path="/webhooks/:id">
              <WebhookDetail />
            </Route>
            <Route path="/people">
              <People />
            </Route>
            <Route path="/audit">
              <AuditLog />
            </Route>
            <Route path="/docs">
              <Docs />
            </Route>
            <Route path="/settings">
              <Settings />
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </main>
        <BottomNavigation />
      </div>
      <Shortcuts />
    </SessionContext.Provider>
  );
};
