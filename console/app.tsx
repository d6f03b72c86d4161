import { Route, Router, Switch } from 'wouter-preact';
import { CONSOLE_BASE } from './environment.ts';
import { SignIn } from './pages/sign-in.tsx';
import { Notices } from './shell/notices.tsx';
import { SignedIn } from './shell/signed-in.tsx';

export const App = () => (
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
  </Router>
);
