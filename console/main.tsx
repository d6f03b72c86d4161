import { render } from 'preact';
import { fetchSession } from './api/session.ts';
import { App } from './app.tsx';
import { CONSOLE_BASE } from './environment.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/index.css';

applyTheme();
if (!location.pathname.startsWith(`${CONSOLE_BASE}/sign-in`)) void fetchSession();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
