import { Route, Router, Switch } from 'wouter-preact';
import { CONSOLE_BASE } from './environment.ts';
import { Notices } from './shell/notices.tsx';
import { SignedIn } from './shell/signed-in.tsx';
import { SignIn } from './sign-in/sign-in.tsx';

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
