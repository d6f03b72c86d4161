import './styles/index.css';
import { render } from 'preact';
import { Route, Router, Switch } from 'wouter-preact';
import { fetchSession } from './api/session.ts';
import { CONSOLE_BASE } from './environment.ts';
import { applyTheme } from './parts/preferences.ts';
import { ConnectionNotice, Notices } from './shell/notices.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

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

applyTheme();
if (!location.pathname.startsWith(`${CONSOLE_BASE}/sign-in`)) void fetchSession();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
