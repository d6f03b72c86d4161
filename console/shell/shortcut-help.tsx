import { Dialog } from '../parts/dialog.tsx';
import { texts } from '../texts/texts.ts';
import { NAVIGATION } from './navigation.tsx';

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

type Props = { readonly open: boolean; readonly onClose: () => void };

export const ShortcutHelp = (dialog: Props) => (
  <Dialog title={texts.shortcuts.title} {...dialog}>
    <ShortcutList />
  </Dialog>
);
