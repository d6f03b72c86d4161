import './styles/index.css';
import { render } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { setConnected } from './api/request.ts';
import { fetchSession } from './api/session.ts';
import { CONSOLE_BASE } from './environment.ts';
import { lazyPage } from './lazy-page.tsx';
import { applyTheme } from './session/storage.ts';
import { ConnectionNotice, Notices } from './shell/notices.tsx';
import { SignedIn } from './signed-in.tsx';

/** Loaded apart, because signed-in people do not need it. */
const SignIn = lazyPage(async () => (await import('./sign-in/sign-in.tsx')).SignIn);

const App = () => (
  <Router base={CONSOLE_BASE}>
    <Switch>
      <Route path="/sign-in">
        <SignIn />
      </Route>
      <Route>
        <SignedIn />
      </Route>
    </Switch>
    <Notices />
    <ConnectionNotice />
  </Router>
);

addEventListener('offline', () => setConnected(false));
// Requests then show whether the service can be reached.
addEventListener('online', () => setConnected(true));
applyTheme();
if (!location.pathname.startsWith(`${CONSOLE_BASE}/sign-in`)) void fetchSession();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
