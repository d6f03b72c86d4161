import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './shell/theme.ts';
import './styles/index.css';

applyTheme();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
